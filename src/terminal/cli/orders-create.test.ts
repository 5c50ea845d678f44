/** `sparring orders create` and `orders menu` against a session of its own menu, over its control API. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { problemIn, runVerbs } from '../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { startControl } from '../../core/runtime/control/control.ts'
import type { Order } from '../../core/protocol/orders/order.ts'
import { openSession } from '../../core/session/open-session.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import type { Session } from '../../core/session-api/session.ts'
import { words } from '../../../test/support/shell-words.ts'

const menu = [
  {
    externalCode: '1001',
    name: 'Margherita',
    price: 42.9,
    category: 'Pizzas',
    options: 'Size (1-1): S; L=10',
  },
  { externalCode: '1002', name: 'Cola', price: 8 },
]

let session: Session
let control: Awaited<ReturnType<typeof startControl>>

async function open(options: SessionOptions = {}): Promise<void> {
  session = await openSession({
    clock: 'stepped',
    listen: false,
    merchants: [{ id: 'm-1', name: 'Cantina' }],
    menu,
    ...options,
  })
  control = await startControl({ session, host: '127.0.0.1', port: 0 })
}

async function close(): Promise<void> {
  await control.close()
  await session.close()
}

beforeEach(() => open())
afterEach(close)

function start(argv: readonly string[], more: Parameters<typeof createTestIo>[0] = {}) {
  const test_ = createTestIo({ env: { SPARRING_CONTROL: control.url }, ...more })
  return { ...test_, ended: runVerbs(['orders', ...argv], test_.io) }
}

async function run(argv: readonly string[], more: Parameters<typeof createTestIo>[0] = {}) {
  const { ended, written } = start(argv, more)
  return { code: await ended, ...written() }
}

const problemOf = (...argv: string[]): Promise<string> => problemIn(start(argv).ended)

async function documentOf(orderId: string): Promise<Order> {
  return (await session.look({ orderId })).order?.document as Order
}

function folderWith(name: string, value: unknown): string {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-orders-'))
  writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value))
  return cwd
}

test('an order is described by flags, and its totals are computed', async () => {
  const { code, stdout, stderr } = await run(words`
    create --merchant=cantina --item=1001:2@25.90 --item=Cola
    '--customer=Ana Souza,+55 11 99999-0000,ana@example.com' --pay=cash@100 --type=takeout
  `)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(await documentOf(stdout.trim())).toMatchObject({
    merchant: { id: 'm-1' },
    fulfillment: { orderType: 'TAKEOUT' },
    customer: { name: 'Ana Souza', phone: { number: '+5511999990000' }, email: 'ana@example.com' },
    items: [{ externalCode: '1001', quantity: 2 }, { externalCode: '1002' }],
    total: { orderAmount: { value: 59.8 } },
    payments: { methods: [{ method: 'CASH', changeFor: 100, value: 59.8 }] },
  })
})

test.each([
  [['--item', '1001@dear'], /^reading --item: "1001@dear" is no item of an order\. Write <code/],
  [['--customer', 'Ana,somewhere'], /^reading --customer: "somewhere" is neither a phone number/],
  [['--customer', ',+5511999990000'], /^reading --customer: it has no name/],
  [['--pay', 'cash@much'], /^reading --pay: "cash@much" is no payment\. Write <method>/],
  [['--item', '1001', '--items', '2'], /named by --item and counted by --items/],
  [['--timeout', 'long'], /^reading --timeout: "long" is no duration/],
  [
    ['-f', '-', '--pay', 'pix'],
    /is a document and described by payment at once\. Give --file alone/,
  ],
  [['-f', 'gone.json'], /^reading gone\.json: there is no such file or directory/],
])('%j is refused before anything is sent', async (argv, sentence) => {
  expect(await problemOf('create', ...argv)).toMatch(sentence)
})

test('what the session does not know is refused with what is near, and exit code 2', async () => {
  expect(await run(['create', '--merchant', 'Catina', '--item', 'x'])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'sparring: refused: merchant: this session has no merchant "Catina". Did you mean "Cantina"? Merchants: Cantina (m-1). (INVALID_PAYLOAD)\n',
  })
  const unknown = await run(['create', '--item', 'Colla', '--item', '1003:2'])
  expect(unknown.code).toBe(2)
  expect(unknown.stderr.split('\n')).toEqual([
    'sparring: refused: the order has 2 errors: (INVALID_PAYLOAD)',
    expect.stringMatching(/^ {2}items\.0: "Colla" .* Nearest: 1002 Cola\./),
    expect.stringMatching(/^ {2}items\.1: "1003" is not on the menu of Cantina/),
    '',
  ])
  const paid = await run(['create', '--pay', 'shells'])
  expect(paid.stderr).toMatch(/"shells" is no payment method\. Known: credit, debit, .*cash/)
})

test('a part of a document in a file is completed; sums that do not match are warnings on stderr', async () => {
  const part = {
    items: [{ externalCode: '1002', quantity: 3 }],
    total: { discount: { value: 5, currency: 'BRL' } },
  }
  const cwd = folderWith('order.json', part)
  const { code, stdout, stderr } = await run(['create', '-f', 'order.json', '--json'], { cwd })
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'sparring: warning: total.discount is 5, but discounts add up to 0\n',
  })
  const made = JSON.parse(stdout) as { orderId: string; warnings: string[] }
  expect(made.warnings).toEqual(['total.discount is 5, but discounts add up to 0'])
  expect((await documentOf(made.orderId)).items).toMatchObject([{ name: 'Cola', quantity: 3 }])
})

test('invalid JSON is reported with line and column, a wrong document with every field', async () => {
  const cwd = folderWith('order.json', '{\n  "id": 1,\n}')
  await expect(start(['create', '-f', 'order.json'], { cwd }).ended).rejects.toThrow(
    /^reading order.json:3:1: /,
  )
  const input = JSON.stringify({ id: 5, items: [{ externalCode: '1002', quantity: '2' }] })
  const { code, stderr } = await run(['create', '-f', '-'], { input })
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /the order has 2 errors:.*\n {2}id is 5, .*\n {2}items\.0\.quantity is "2", /,
  )
})

test('what orders show prints can be fed back, and an id that exists is refused', async () => {
  const { stdout: id } = await run(['create', '--item', '1001:2', '--type', 'DELIVERY'])
  const { stdout: shown } = await run(['show', id.trim(), '--json'])
  const { code, stdout: copy } = await run(['create', '-f', '-'], { input: shown })
  expect(code).toBe(0)
  expect(copy).not.toBe(id)
  const [first, second] = [await documentOf(id.trim()), await documentOf(copy.trim())]
  expect(second).toEqual({ ...first, id: copy.trim(), displayId: second.displayId })
  const again = await run(['create', '-f', '-'], { input: JSON.stringify(first) })
  expect(again.code).toBe(1)
  expect(again.stderr).toBe(
    `sparring: refused: there is an order ${first.id} already; leave its id out, and the new one gets a fresh id (CONFLICT)\n`,
  )
})

test('orders menu lists what the merchant sells', async () => {
  const { code, stdout } = await run(['menu'])
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'CODE  ITEM        PRICE  CATEGORY  OPTIONS',
    '1001  Margherita  42.90  Pizzas    Size (1-1): S; L=10.00',
    '1002  Cola         8.00  Cardápio  -',
  ])
  expect(JSON.parse((await run(['menu', 'm-1', '--json'])).stdout)).toMatchObject({
    merchants: [{ id: 'm-1', items: 2 }],
    items: [{ externalCode: '1001', price: 42.9 }, { externalCode: '1002' }],
  })
  expect(await problemOf('menu', 'Bar')).toMatch(
    /^reading the menu: this session has no merchant "Bar"\. Merchants: Cantina \(m-1\)\./,
  )
  await close()
  await open({
    merchants: [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B', status: 'CLOSED' },
    ],
  })
  const several = await run(['menu'])
  expect(several.stdout).toBe(
    'MERCHANT  CODE  ID  STATUS  ITEMS\nA         a     a   OPEN        2\nB         b     b   CLOSED      2\n',
  )
  expect(several.stderr).toBe('sparring orders menu <merchant> lists what one of them sells\n')
})

/** The lines that were printed on stderr, until one fits. */
async function heard(written: () => { readonly stderr: string }, line: RegExp): Promise<void> {
  await expect.poll(() => written().stderr, { timeout: 20_000, interval: 20 }).toMatch(line)
}

test('--wait prints each status as it comes, and ends when the order has it', async () => {
  const { ended, written } = start(['create', '--type', 'TAKEOUT', '--wait', 'preparing'])
  await heard(written, /The clock is paused: .*sparring agenda run[\s\S]* CREATED\n/)
  const orderId = written().stdout.trim()
  for (const trigger of ['confirm', 'preparing'] as const) {
    await session.submit({ kind: 'order.apply', orderId, trigger })
    await heard(written, trigger === 'confirm' ? / CONFIRMED\n/ : / PREPARING\n/)
  }
  expect(await ended).toBe(0)
  expect(
    written()
      .stderr.split('\n')
      .map((line) => line.replace(/^[\d:.]+ {2}/, '')),
  ).toEqual([
    'waiting for PREPARING, at most 2m',
    expect.stringMatching(/^The clock is paused/),
    'CREATED',
    'CONFIRMED',
    'PREPARING',
    '',
  ])
})

test('--wait ends with exit code 1 when the order ends otherwise, or leaves the status out', async () => {
  const cancelled = start(['create', '--type', 'TAKEOUT', '--wait', 'CONCLUDED', '--json'])
  await heard(cancelled.written, / CREATED\n/)
  const { orders } = await session.look({ orders: { limit: 1 } })
  const orderId = orders[0]?.orderId ?? ''
  await session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  expect(await cancelled.ended).toBe(1)
  expect(cancelled.written().stderr).toMatch(/the order will not be CONCLUDED: it was cancelled\n$/)
  expect(JSON.parse(cancelled.written().stdout)).toEqual({ orderId, status: 'CANCELLED' })

  const skipped = start(['create', '--type', 'TAKEOUT', '--wait', 'PREPARING'])
  await heard(skipped.written, / CREATED\n/)
  const id = skipped.written().stdout.trim()
  await session.submit({ kind: 'order.apply', orderId: id, trigger: 'confirm' })
  await session.submit({ kind: 'order.apply', orderId: id, trigger: 'ready-for-pickup' })
  expect(await skipped.ended).toBe(1)
  expect(skipped.written().stderr).toMatch(
    /will not be PREPARING: it is READY already, past PREPARING/,
  )
})

test('--wait for a status of deliveries makes one; another profile is told at once', async () => {
  const made = start(['create', '--wait', 'in_delivery', '--timeout', '1ms'])
  expect(await made.ended).toBe(1)
  expect((await documentOf(made.written().stdout.trim())).fulfillment.orderType).toBe('DELIVERY')
  const never = await run(['create', '--type', 'INDOOR', '--wait', 'IN_DELIVERY'])
  expect(never.code).toBe(1)
  expect(never.stderr).toMatch(/will not be IN_DELIVERY: a INDOOR order is never IN_DELIVERY/)
})

test('--wait that times out names the last status, and whether the service was ever heard of', async () => {
  await close()
  await open({ clock: 'real', as: 'software-service', merchants: [{ id: 'm-1', name: 'Cantina' }] })
  const { code, stderr } = await run(['create', '--wait', 'CONFIRMED', '--timeout', '50ms'])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /sparring: the order is CREATED and not CONFIRMED after 50ms\. Waiting for your service to connect …\n$/,
  )
})

test('a document with a number that would lose digits is refused where it stands, and so is one that is no UTF-8', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-exact-'))
  const file = join(folder, 'order.json')
  writeFileSync(file, '{\n  "items": [],\n  "partnerId": 4634343214213523454\n}\n')
  expect(await problemOf('create', '-f', file)).toBe(
    `reading ${file}:3:16: the number 4634343214213523454 has more digits than a program keeps of a number (it would become 4634343214213523000): write it as a text, in quotes. Correct it there.`,
  )
  writeFileSync(file, '{"total": 0.10000000000000000001}')
  expect(await problemOf('create', '-f', file)).toContain(
    ':1:11: the number 0.10000000000000000001 ',
  )
  writeFileSync(file, Buffer.from('{"note":"caf\u00e9"}', 'latin1'))
  expect(await problemOf('create', '-f', file)).toContain('it is no UTF-8 text')
  const right =
    '{"items":[{"externalCode":"1002","quantity":2}],"partnerId":"4634343214213523454","rate":29.899999999999998579}'
  writeFileSync(file, right)
  expect((await run(['create', '-f', file])).code).toBe(0)
})

test('a long number of an order keeps the columns of the list on the screen, and is shown whole', async () => {
  const displayId = '7'.repeat(300)
  await session.createOrder({ order: { displayId, items: [{ externalCode: '1002' }] } })
  const { stdout } = await run(['list'])
  expect(stdout).toContain(`${'7'.repeat(31)}…`)
  expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThan(200)
  expect(await run(['list', '--json'])).toMatchObject({
    stdout: expect.stringContaining(displayId),
  })
})

test('an order of each sample is created, and the other flags hold for all of them', async () => {
  const argv = words`create --sample=options-five-deep --sample=text-of-300 --type=DELIVERY`
  const { code, stdout, stderr } = await run(argv)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [deep = '', long = ''] = stdout.trim().split('\n')
  expect(await documentOf(deep)).toMatchObject({ items: [{ name: 'Combo da casa' }] })
  const { items, fulfillment } = await documentOf(long)
  expect([items[0]?.name.length, fulfillment.orderType]).toEqual([300, 'DELIVERY'])
  const listed = await run([...argv, '--json'])
  expect(JSON.parse(listed.stdout)).toEqual([
    { orderId: expect.any(String) as unknown },
    { orderId: expect.any(String) as unknown },
  ])
})

test('a sample that there is not is refused with what is near; one that cannot be so ends with 2', async () => {
  const unknown = await run(words`create --sample=emojis`)
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    'sparring: refused: sample: there is no such sample: see sparring list samples. Did you mean "emoji"? (INVALID_PAYLOAD)\n',
  ])
  const misfit = await run(words`create --sample=emoji --sample=takeout-with-code --type=DELIVERY`)
  expect(misfit.code).toBe(2)
  expect(misfit.stdout.trim().split('\n')).toHaveLength(1)
  expect(misfit.stderr).toMatch(
    /takeout-with-code is one of TAKEOUT orders, and this is one of DELIVERY/,
  )
})
