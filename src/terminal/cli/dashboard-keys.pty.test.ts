// @module-tag slow
/**
 * The keys of the dashboard on a real terminal: palette, search, copy, next in a detail, answers.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi, onTestFinished } from 'vitest'
import { commandLine, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { openPty, type Pty } from '../../../test/support/terminal.ts'

/** The text that was last put into the clipboard by OSC 52. */
function clipboard(pty: Pty): string {
  const last = pty.written().split('\u{1b}]52;c;').at(-1) ?? ''
  return Buffer.from(last.split('\u{7}', 1)[0] ?? '', 'base64').toString('utf8')
}

async function up(columns: number, rows: number): Promise<{ pty: Pty; control: string }> {
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'sparring.config.yaml'),
    'capabilities: { indoor: false, logistics: false, customer: false }\n',
  )
  const { file, args, env } = commandLine('up', '--port', '0', '--orders-every', '0')
  const pty = openPty({
    file,
    args: [...args, '--clock', 'stepped', '--seed', '7', '--ready-file', 'ready.json'],
    columns,
    rows,
    cwd,
    env: { ...env, HOME: cwd, NODE_ENV: 'production' },
  })
  onTestFinished(() => pty.close())
  await pty.until('‖ HOLD', 30_000)
  const ready = JSON.parse(readFileSync(join(cwd, 'ready.json'), 'utf8')) as { control: string }
  return { pty, control: ready.control }
}

test('by keys: palette, search, copy, next, and every key is answered', async () => {
  const { pty } = await up(80, 24)

  // Nothing was done yet, and a key that is bound nowhere says so.
  await pty.pressUntil('s', 'there is nothing to save')
  await pty.pressUntil('X', 'X: no such key here; ? lists them')

  // The palette: words, the key beside the action, and enter does it.
  for (const type of ['takeout', 'delivery']) {
    await pty.pressUntil(':', '━ Actions')
    await pty.pressUntil(`new ord ${type}`, new RegExp(`>N ${type[0]} +new order: ${type}`))
    await pty.pressUntilGone('\r', '━ Actions')
    await pty.until(type.toUpperCase())
  }

  // Search in the orders, with the number of matches; esc shows all again.
  await pty.pressUntil('3/takeout', /\/takeout \(1 found\)/)
  await pty.pressUntilGone('\r\u{1b}', '/takeout')

  // Details: the next and the previous, without leaving.
  await pty.pressUntil('g\r', '━ Order')
  const opened = /Order ([\da-f-]{36})/.exec(pty.text())?.[1]
  await pty.pressUntil(']', new RegExp(`Order (?!${opened})[\\da-f-]{36}`))
  await pty.pressUntil('[', `Order ${opened}`)

  // The clipboard gets exactly this.
  await pty.pressUntil('y', /Copy: +i id +d document/)
  await pty.pressUntil('i', 'copied: id, 36 characters')
  expect(clipboard(pty)).toBe(opened)
  await pty.pressUntil('yd', 'copied: document')
  expect(JSON.parse(clipboard(pty))).toMatchObject({ id: opened })
  expect(pty.text().includes('52;c;')).toBe(false)

  // Help above the detail, searched; q closes one after the other.
  await pty.pressUntil('?/redo', '/redo (1 found)')
  await pty.pressUntil('\rq', '━ Order')
  await pty.pressUntilGone('q', '━ Order')

  // An exchange as curl.
  await pty.pressUntil('2n', 'took #')
  await pty.until(/GET +\S*well-known/)
  await pty.pressUntil('y', /Copy: +u URL/)
  await pty.pressUntil('c', 'copied: curl, with its token')
  expect(clipboard(pty)).toMatch(/^curl --globoff --path-as-is --request '(GET|POST)'/)

  for (const [key, name, wanted] of [
    ['u', 'URL', /^http:\/\/127\.0\.0\.1:\d+\/.*well-known/],
    ['r', 'reply', /^\{/],
  ] as const) {
    await pty.pressUntil(`y${key}`, `copied: ${name}`)
    expect(clipboard(pty)).toMatch(wanted)
  }

  // What is repeated by itself is not sent again; a call is, with its outcome and a row of its own.
  await pty.pressUntil('R', 'getManifest is repeated by itself')
  // The clock runs until there is one.
  await pty.pressUntil('/oauth\r ', /POST +\S*oauth/)
  await pty.pressUntil(' ', '‖ HOLD')
  await pty.pressUntil('R', /sent again as #\d+: 200 in \d+ ms/)
  await vi.waitFor(() => expect(pty.text().match(/POST +\S*oauth/g)?.length).toBeGreaterThan(1))
  // The rate of the last minute, and the mouse.
  await pty.until(/\d\/s .*p95 \S+ms/)
  expect(pty.modes().mouse).toBe(true)
  await pty.pressUntilGone('\u{1b}', '/oauth ')

  // The form of a fault: completion, a wrong value at its row, the line as it grows, at both sizes.
  await pty.pressUntil('f/never delivered\r\r', '━ Add a fault')
  await pty.pressUntil('\tCONF', '>CONFIRMED')
  await pty.pressUntil('\r', /drop:(?:operation=\w+,)?event=CONFIRMED/)
  for (let rows_ = 0; rows_ < 12 && !/^>nth /m.test(pty.text()); rows_++) {
    const [before] = pty.rows().filter((row) => row.startsWith('>'))
    await pty.pressUntilGone('\t', `\n${before ?? ''}`)
  }
  await pty.pressUntil('0', '"0" is not a whole number from 1')
  pty.resize(120, 40)
  await pty.until(/^>nth[^]*drop:event=CONFIRMED,nth=0/m)
  expect(pty.rows().length).toBe(40)
  pty.resize(80, 24)
  await pty.pressUntil('\u{7f}1', 'drop:event=CONFIRMED,nth=1')
  await pty.pressUntil('\u{5}', 'fault drop:event=CONFIRMED,nth=1_')
  await pty.pressUntil(',limit=2\r', 'active: drop:event=CONFIRMED,nth=1,limit=2')
  await pty.untilGone('━ Add a fault')
  await pty.pressUntilGone('\u{1b}', '/never')
  await pty.pressUntilGone('q', '━ Faults')

  // What is lost is named; another q is no answer.
  await pty.pressUntil('qq', /Quit\?[^]*\d+ exchanges? not recorded, 5 actions not\s+saved/)
  pty.press('y')
  expect((await pty.exited).code).toBe(0)
}, 60_000)

/** Both sizes, one after the other, in one session. */
async function atBothSizes(pty: Pty, check: (columns: number) => Promise<void>): Promise<void> {
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
  ] as const) {
    pty.resize(columns, rows)
    await pty.until(columns < 120 ? /1 Journal.*2 .*3 Orders/ : 'PRESENT 3 Orders')
    expect(pty.rows().length).toBe(rows)
    await check(columns)
  }
}

function start(...words: readonly string[]): Pty {
  const cwd = emptyFolder()
  const { file, args, env } = commandLine(...words)
  const pty = openPty({
    file,
    args,
    columns: 120,
    rows: 40,
    cwd,
    env: { ...env, HOME: cwd, NODE_ENV: 'production' },
  })
  onTestFinished(() => pty.close())
  return pty
}

test('at both sizes: what failed is marked on the order, the exchange, in the detail and the header; new orders stay in sight', async () => {
  const words = 'demo --port 0 --seed 7 --defect never-acks --poll 100 --think 20 --orders-every 1s'
  const pty = start(...words.split(' '))
  await pty.until(/✗ \d+ rules? failed/, 40_000)
  await atBothSizes(pty, async () => {
    // The newest is the first row, with the cursor, while others come.
    await pty.pressUntil('3g', /> *\d+ .*\n/)
    const first = /^.*> *(\d{4}) /m.exec(pty.text())?.[1]
    await pty.untilGone(new RegExp(`> *${first} `))
    await pty.until(/> *\d{4} /)
    // The order, its detail, and the exchange.
    await pty.pressUntil('G', /✗ *\w\w-\d/)
    await pty.pressUntil('\r', /failed +\w\w-\d/)
    await pty.pressUntilGone('q2', '━ Order')
    await pty.until(/✗/)
  })
  pty.press('Q')
  expect((await pty.exited).code).toBe(0)
}, 90_000)

test('at both sizes: in a recording, seeking moves all panes, idle polls are hidden, and keys mean the same', async () => {
  const recording = fileURLToPath(
    new URL('../../../recordings/happy-path.rec.ndjson', import.meta.url),
  )
  const pty = start('replay', recording)
  await pty.until('○ BROWSE', 30_000)
  await atBothSizes(pty, async () => {
    await pty.pressUntil('2:1\r', 'no idle polls')
    const hidden = pty.text()
    await pty.pressUntilGone('b', 'no idle polls')
    expect(pty.text()).not.toBe(hidden)
    await pty.pressUntil('b', 'no idle polls')
    await pty.pressUntil(':30\r', /^ *29\/\d+ /m)
    // The order of the exchange is shown as well.
    await pty.pressUntil('3', /━ PRESENT 3 Orders|\[3 Orders\]/)
    await pty.until(/[\da-f]{8}.*(?:CREATED|CONFIRMED|PREPARING|READY|DELIVERED|IN_DELIVERY)/)
    await pty.pressUntil('?/previous\r', /━ Keys .*\/previous/)
    await pty.pressUntilGone('q', '━ Keys')
    await pty.pressUntil('X', 'X: no such key here')
  })
  pty.press('Q')
  expect((await pty.exited).code).toBe(0)
}, 60_000)
