// @module-tag slow
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startControl } from '../../core/runtime/control/control.ts'
import type { AgendaRow } from '../../core/session-api/session-api.ts'
import { problemIn, runVerbs } from '../../../test/support/run-in-process.ts'
import { transcriptOf } from '../../../test/support/transcript-of.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import type { Session } from '../../core/session-api/session.ts'
import { openSession } from '../../core/session/open-session.ts'

let session: Session
let control: Awaited<ReturnType<typeof startControl>>
beforeEach(async () => {
  session = await openSession({ clock: 'stepped', listen: false })
  control = await startControl({ session, host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await control.close()
  await session.close()
})

function start(argv: readonly string[], more: Parameters<typeof createTestIo>[0] = {}) {
  const test_ = createTestIo({ env: { SPARRING_CONTROL: control.url }, ...more })
  return { ...test_, ended: runVerbs(argv, test_.io) }
}

async function runVerb(...argv: string[]) {
  const { ended, written } = start(argv)
  return { code: await ended, ...written() }
}

const problemOf = (...argv: string[]): Promise<string> => problemIn(start(argv).ended)

async function createdOrderId(): Promise<string> {
  const { stdout } = await runVerb('orders', 'create', '--type', 'DELIVERY')
  return stdout.trim()
}

const expectTranscript = transcriptOf(() => ({ env: { SPARRING_CONTROL: control.url } }))

const agenda = async (): Promise<readonly AgendaRow[]> =>
  (await session.look({ agenda: { limit: 50 } })).agenda

test('orders create and list: the columns are aligned with their titles', async () => {
  const id = await createdOrderId()
  const { code, stdout, stderr } = await runVerb('orders')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [head = '', row = ''] = stdout.split('\n')
  expect(row.startsWith(`${id}  `)).toBe(true)
  for (const [title, cell] of [
    ['TYPE', 'DELIVERY'],
    ['STATUS', 'CREATED'],
    ['LAST EVENT', 'CREATED'],
  ] as const)
    expect(row.slice(head.indexOf(title)).startsWith(cell)).toBe(true)
  expect(JSON.parse((await runVerb('orders', 'list', '--json')).stdout)).toMatchObject([
    { orderId: id },
  ])
  const none = await runVerb('orders', 'list', '--status', 'DELIVERED')
  expect(none).toEqual({ code: 0, stdout: '', stderr: 'no orders\n' })
})

test('orders show prints an order in detail; orders create takes a whole order as JSON', async () => {
  const id = await createdOrderId()
  expect((await runVerb('orders', 'show', id)).stdout).toMatch(/^MOVE +TO +BY +VALID$/m)
  const { stdout } = await runVerb('orders', 'show', id, '--json')
  const { document } = JSON.parse(stdout) as { document: object }
  const { ended, written } = start(['orders', 'create', '--file', '-', '--json'], {
    input: JSON.stringify({ ...document, id: 'copy-1' }),
  })
  expect(await ended).toBe(0)
  expect(JSON.parse(written().stdout)).toEqual({ orderId: 'copy-1' })

  const unknown = await runVerb('orders', 'show', 'nobody')
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toBe('sparring: refused: there is no order nobody (NOT_FOUND)\n')
})

test('an order is found by its slot, its id, the beginning of it that screens show, or its number', async () => {
  const [first, second] = [await createdOrderId(), await createdOrderId()]
  const { orders } = await session.look({ orders: { limit: 2 } })
  const { displayId = '' } = orders.find(({ orderId }) => orderId === first) ?? {}
  expect((await runVerb('orders', 'show', displayId)).stdout.startsWith(first)).toBe(true)
  expect((await runVerb('orders', 'show', 'o1')).stdout.startsWith(first)).toBe(true)
  expect((await runVerb('agenda', '--order', 'o2')).stdout).toContain(second)
  expect((await runVerb('explain', 'o2')).stdout).toContain(second)
  expect((await runVerb('orders', 'show', second.slice(0, 8))).stdout.startsWith(second)).toBe(true)
  const moved = await runVerb('orders', 'move', first.slice(0, 8), 'confirm')
  expect(moved.stdout).toMatch(`${first}: confirm`)
  expect((await runVerb('orders', 'cancel', displayId)).stdout).toBe(
    `${first}: cancelled by the customer\n`,
  )
  const emitted = await runVerb('events', 'emit', second.slice(0, 8), 'PICKUP_ONGOING')
  expect(emitted.stdout).toBe(`${second}: PICKUP_ONGOING emitted\n`)
  expect((await runVerb('events', '--order', second.slice(0, 8))).stdout).toContain(second)
  expect((await runVerb('agenda', '--order', second.slice(0, 8))).stdout).toContain(second)
  // A prefix of two characters is too short, and one that matches two orders is ambiguous.
  expect((await runVerb('orders', 'show', second.slice(0, 2))).code).toBe(1)
  const { document } = (await session.look({ orderId: first })).order ?? {}
  await session.createOrder({ order: { ...(document as object), id: 'twin-1' } })
  expect(await problemOf('orders', 'show', displayId)).toBe(
    `finding the order: "${displayId}" fits several orders: ${first}, twin-1. Write more of the id. See sparring orders list.`,
  )
})

test('orders create reports invalid JSON with its line and column', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sparring-verbs-'))
  writeFileSync(join(cwd, 'order.json'), '{\n  "id": 1,\n}')
  const broken = start(['orders', 'create', '--file', 'order.json'], { cwd }).ended
  await expect(broken).rejects.toThrow(/^reading order.json:3:1: /)
  expect(await problemOf('orders', 'create', '--file', 'gone.json')).toMatch(
    /^reading gone.json: there is no such file or directory/,
  )
})

test('orders move fires a trigger; an invalid one needs --force', async () => {
  const id = await createdOrderId()
  const early = await runVerb('orders', 'move', id, 'delivered')
  expect(early.code).toBe(1)
  expect(early.stderr).toMatch(
    /refused: no delivered from CREATED for DELIVERY; use --force to force it/,
  )
  expect((await runVerb('orders', 'move', id, 'confirm')).stdout).toContain('leads to CONFIRMED')
  expect((await runVerb('orders', 'move', id, 'delivered', '--force')).code).toBe(0)
  expect((await session.look({ orderId: id })).order?.row.status).toBe('DELIVERED')
  const again = await runVerb('orders', 'move', id, 'delivered')
  expect(again.stderr).toContain('the order knows no delivered; it could conclude')
})

test('orders cancel passes the reason; a late cancellation is refused', async () => {
  const id = await createdOrderId()
  const { code, stdout } = await runVerb('orders', 'cancel', id, '--reason', 'rain', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({
      kind: 'event.emitted',
      event: expect.objectContaining({
        eventType: 'CANCELLED',
        metadata: { reason: 'rain' },
      }) as unknown,
    }),
  )
  const other = await createdOrderId()
  await runVerb('orders', 'move', other, 'delivered', '--force')
  const late = await runVerb('orders', 'cancel', other)
  expect(late.code).toBe(1)
  expect(late.stderr).toContain('cancel had no effect: the order is DELIVERED')
})

test('[MIG-ORD-01] orders cancel asks the merchant in V1, where the originator is set to; orders move takes every move that show lists', async () => {
  for (const originatorCancel of ['handshake', 'direct'] as const) {
    await control.close()
    await session.close()
    session = await openSession({
      dialect: 'v1',
      conduct: { v1: { originatorCancel } },
      clock: 'stepped',
      listen: false,
    })
    control = await startControl({ session, host: '127.0.0.1', port: 0 })
    const id = await createdOrderId()
    const status = async () => (await session.look({ orderId: id })).order?.row.status
    const cancelled = await runVerb('orders', 'cancel', id, '--reason', 'rain')
    if (originatorCancel === 'direct') {
      expect(cancelled.stdout).toBe(`${id}: cancelled by the customer\n`)
      expect(await status()).toBe('CANCELLED')
      continue
    }
    expect(cancelled.stdout).toBe(`${id}: asked the merchant for permission to cancel\n`)
    expect(session.facts().map(({ fact }) => fact.kind)).toContain('handshake.offered')
    expect(await status()).toBe('CREATED')
    const again = await runVerb('orders', 'cancel', id)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has not yet answered')])
    const answers = ['deny-cancelling', 'ask-to-cancel', 'accept-cancelling']
    for (const move of answers) {
      expect((await runVerb('orders', 'show', id)).stdout).toContain(move)
      expect((await runVerb('orders', 'move', id, move)).code).toBe(0)
    }
    // Accepted, and not cancelled yet: no other step is possible.
    const confirmed = await runVerb('orders', 'move', id, 'confirm')
    expect(confirmed.stderr).toMatch(/its cancellation was accepted \(INVALID_TRANSITION\)/)
  }
})

test('orders answer-cancellation answers a cancellation that the merchant requested', async () => {
  const id = await createdOrderId()
  await runVerb('orders', 'move', id, 'confirm', '--force')
  await session.submit({ kind: 'cancellation.request', orderId: id, request: { reason: 'closed' } })
  expect((await runVerb('orders', 'answer-cancellation', id, 'deny')).stdout).toBe(
    `${id}: cancellation denied\n`,
  )
  const { journal } = await session.look({ journal: { limit: 50, orderId: id } })
  expect(journal.map(({ kind }) => kind)).toContain('cancellation.answered')
})

test('orders cancel --by software-service and cancel-item make our Software Service request it', async () => {
  const id = await createdOrderId()
  await session.advance(5000)
  await expectTranscript(`
    $ sparring orders cancel ${id} --by software-service
    ${id}: cancellation requested
    $ sparring orders cancel-item ${id} line-1 --quantity 1
  `)
  const { journal } = await session.look({ journal: { limit: 50 } })
  expect(
    journal.filter(({ kind }) => kind.startsWith('ticket.') || kind === 'call.placed'),
  ).not.toEqual([])
})

test('orders cancel-item takes a number for a line before it takes it for an id', async () => {
  const items = [
    { id: '2', externalCode: 'AC-101', quantity: 3 },
    { id: '1', externalCode: 'AC-102', quantity: 3 },
    { id: '77', externalCode: 'AC-103', quantity: 3 },
  ]
  const made = await session.createOrder({ order: { items } })
  if (!made.ok) throw new Error(made.error.message)
  const { orderId } = made.value
  await session.advance(5000)
  const submitted = vi.spyOn(session, 'submit')
  for (const item of ['2', '77', 'nothing'])
    await runVerb('orders', 'cancel-item', orderId, item, '--quantity', '1')
  const ids = submitted.mock.calls.map(([command]) => (command as { itemId?: string }).itemId)
  expect(ids).toEqual(['1', '77', 'nothing'])
})

test('reset begins a fresh world, with the next seed or one that is named', async () => {
  await createdOrderId()
  const { seed } = (await session.look({})).info
  const next = await runVerb('reset')
  const stdout = `a fresh world, seed ${seed + 1}\n`
  expect({ ...next }).toEqual({ code: 0, stdout, stderr: '' })
  expect((await session.look({ orders: { limit: 5 } })).orders).toEqual([])
  expect(JSON.parse((await runVerb('reset', '--seed', '7', '--json')).stdout)).toEqual({ seed: 7 })
  expect((await session.look({})).info.seed).toBe(7)
})

test('agenda lists and edits items', async () => {
  await createdOrderId()
  const [first, second] = (await agenda()).map(({ id }) => String(id))
  expect((await runVerb('agenda', 'hold', second!)).stdout).toBe(`${second}: held\n`)
  expect((await runVerb('agenda')).stdout).toMatch(new RegExp(`^ +${second} +held `, 'm'))
  expect((await runVerb('agenda', 'release', second!)).code).toBe(0)
  expect((await runVerb('agenda', 'duplicate', second!)).code).toBe(0)
  expect((await runVerb('agenda', 'list')).stdout).toContain(`copy of ${second}`)
  expect((await runVerb('agenda', 'move', first!, 'later')).code).toBe(0)
  expect((await agenda())[1]?.id).toBe(Number(first))
  expect((await runVerb('agenda', 'move', first!, second!)).code).toBe(0)
  expect((await agenda())[0]?.id).toBe(Number(first))
  const before = (await agenda()).find(({ id }) => id === Number(first))!
  expect((await runVerb('agenda', 'delay', first!, '5s')).stdout).toBe(`${first}: delayed by 5s\n`)
  const after = (await agenda()).find(({ id }) => id === Number(first))!
  expect(after.due - before.due).toBe(5000)
  const dropped = await runVerb('agenda', 'drop', second!, '999999')
  expect(dropped.code).toBe(1)
  expect(dropped.stdout).toBe(`${second}: dropped\n`)
  expect(dropped.stderr).toContain('no item 999999')
})

test('agenda edit takes key=value, the value as JSON where it parses', async () => {
  const id = await createdOrderId()
  await session.submit({
    kind: 'agenda.plan',
    command: { kind: 'order.apply', orderId: id, trigger: 'confirm', metadata: {} },
    afterMs: 1000,
  })
  const item = (await agenda()).find(({ kind }) => kind === 'order.apply')!
  const changes = ['trigger=cancel', 'metadata={"reason":"rain"}']
  expect((await runVerb('agenda', 'edit', String(item.id), ...changes)).code).toBe(0)
  await runVerb('agenda', 'advance', '2s')
  expect((await session.look({ orderId: id })).order?.row.status).toBe('CANCELLED')
  expect((await runVerb('agenda', 'edit', '1', 'nothing=1')).code).toBe(1)
  expect(await problemOf('agenda', 'edit', '1', 'trigger')).toContain(
    '"trigger" is no change. Write',
  )
})

test('invalid items, durations and counts are problems', async () => {
  expect(await problemOf('agenda', 'hold', 'x')).toContain('"x" is not an item number')
  expect(await problemOf('agenda', 'move', '1', 'up')).toMatch(/Or write earlier, or later\.$/)
  expect(await problemOf('agenda', 'delay', '1', 'soon')).toBe(
    'delaying the item: "soon" is no duration. Write 250ms, 5s, 2m or 1h.',
  )
  expect(await problemOf('agenda', 'step', 'zero')).toContain('not a number of steps')
})

test('agenda step, run, pause and advance control the clock', async () => {
  await createdOrderId()
  const items = await agenda()
  const { stdout } = await runVerb('agenda', 'step', '2')
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => Number(line.split('  ')[0])),
  ).toEqual(items.slice(0, 2).map(({ id }) => id))
  expect((await runVerb('agenda', 'advance', '1m')).stdout).toMatch(
    /^clock stepped, .* \d+ items? pending/,
  )
  expect((await runVerb('agenda', 'run', '--speed', '2')).stdout).toMatch(/^clock real at 2 times/)
  expect(JSON.parse((await runVerb('agenda', 'pause', '--json')).stdout)).toMatchObject({
    mode: 'stepped',
  })
})

test('agenda advance says how much of the time has not passed', async () => {
  const advance = session.advance.bind(session)
  session.advance = (ms) => advance(ms, { items: 2, wallMs: 60_000 })
  await createdOrderId()
  const { stdout, stderr, code } = await runVerb('agenda', 'advance', '10m')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^clock stepped, /)
  expect(stderr).toMatch(/^the limit of one call was reached with [\d.]+ s left: advance again\n$/)
  expect(JSON.parse((await runVerb('agenda', 'advance', '10m', '--json')).stdout)).toMatchObject({
    remaining: expect.any(Number),
  })
})

test('background loops are listed only with --background', async () => {
  await runVerb('agenda', 'advance', '5s')
  const { stdout, stderr } = await runVerb('agenda')
  expect(stdout).toBe('')
  expect(stderr).toMatch(
    /^nothing is scheduled but background loops; list them with --background\n$/,
  )
  expect((await runVerb('agenda', '--background')).stdout).toContain('pollingEvents')
  expect((await runVerb('agenda', 'pause')).stdout).toMatch(/, 0 items pending, 0 held\n$/)
})

test('events list prints facts about events, events emit emits one', async () => {
  const id = await createdOrderId()
  const emitted = await runVerb('events', 'emit', id, 'PICKUP_ONGOING')
  expect(emitted).toEqual({ code: 0, stdout: `${id}: PICKUP_ONGOING emitted\n`, stderr: '' })
  const listed = (await runVerb('events')).stdout
  expect(listed).toMatch(/^FACT +AT +KIND/)
  expect(listed).toContain('PICKUP_ONGOING emitted')
  expect(listed).not.toContain('order.created')
  expect((await runVerb('events', '--order', id)).stdout).toContain('order.created')
  expect(JSON.parse((await runVerb('events', '--json', '--limit', '1')).stdout)).toHaveLength(1)
})

test('events follow prints facts until it is interrupted', async () => {
  const { ended, written, interrupt } = start(['events', 'follow', '--json'])
  // It prints nothing when it starts following, so orders are created until one is printed.
  await expect
    .poll(async () => {
      await session.createOrder()
      return written().stdout
    })
    .toContain('CREATED emitted')
  for (const line of written().stdout.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ kind: expect.stringMatching(/^event/) as unknown })
  interrupt('SIGINT')
  expect(await ended).toBe(130)
})

test('events follow reports the end of the session as a problem', async () => {
  const { ended } = start(['events', 'follow'])
  const [error] = await Promise.all([
    ended.catch((thrown: unknown) => thrown),
    new Promise((resolve) => setTimeout(resolve, 200)).then(() => control.close()),
  ])
  expect(error).toMatchObject({ exit: 3 })
})

test('each kind of entity besides orders has the verbs list, show and move', async () => {
  await createdOrderId()
  await session.advance(120_000)
  const { code, stdout } = await runVerb('deliveries')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ID +WHO +STATUS +WHAT +ORDER +SINCE$/m)
  const rows = JSON.parse((await runVerb('deliveries', 'list', '--json')).stdout) as {
    id: string
  }[]
  const id = rows[0]?.id ?? ''
  expect((await runVerb('deliveries', 'show', id.slice(0, 8))).stdout).toMatch(/^PENDING +\d\d:/m)
  const [customer] = JSON.parse((await runVerb('customers', 'list', '--json')).stdout) as {
    id: string
    status: string
  }[]
  expect(customer?.status).toBe('active')
  const moved = await runVerb('customers', 'move', customer?.id ?? '', 'deactivate')
  expect(moved).toMatchObject({ code: 0, stdout: `${customer?.id}: deactivate\n` })
  expect((await runVerb('customers', 'list', '--status', 'inactive')).stdout).toContain(
    customer?.id,
  )
  const again = await runVerb('customers', 'move', customer?.id ?? '', 'deactivate')
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('use --force to force it'),
  })
  const unknown = await runVerb('customers', 'move', customer?.id ?? '', 'dance')
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('no transition dance') })
  expect(await runVerb('accounts')).toEqual({ code: 0, stdout: '', stderr: 'no accounts\n' })
  const none = await runVerb('loyalty', 'show', 'nobody')
  expect(none).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no loyalty account nobody'),
  })
})
