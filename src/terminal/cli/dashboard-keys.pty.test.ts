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
  pty.press('s')
  await pty.until('there is nothing to save')
  pty.press('X')
  await pty.until('X: no such key here; ? lists them')

  // The palette: words, the key beside the action, and enter does it.
  for (const type of ['takeout', 'delivery']) {
    pty.press(':')
    await pty.until('━ Actions')
    pty.press(`new ord ${type}`)
    await pty.until(new RegExp(`>N ${type[0]} +new order: ${type}`))
    pty.press('\r')
    await pty.untilGone('━ Actions')
    await pty.until(type.toUpperCase())
  }

  // Search in the orders, with the number of matches; esc shows all again.
  pty.press('3/takeout')
  await pty.until(/\/takeout \(1 found\)/)
  pty.press('\r\u{1b}')
  await pty.untilGone('/takeout')

  // Details: the next and the previous, without leaving.
  pty.press('g\r')
  await pty.until('━ Order')
  const opened = /Order ([\da-f-]{36})/.exec(pty.text())?.[1]
  pty.press(']')
  await pty.until(new RegExp(`Order (?!${opened})[\\da-f-]{36}`))
  pty.press('[')
  await pty.until(`Order ${opened}`)

  // The clipboard gets exactly this.
  pty.press('y')
  await pty.until(/Copy: +i id +d document/)
  pty.press('i')
  await pty.until('copied: id, 36 characters')
  expect(clipboard(pty)).toBe(opened)
  pty.press('yd')
  await pty.until('copied: document')
  expect(JSON.parse(clipboard(pty))).toMatchObject({ id: opened })
  expect(pty.text().includes('52;c;')).toBe(false)

  // Help above the detail, searched; q closes one after the other.
  pty.press('?/redo')
  await pty.until('/redo (1 found)')
  pty.press('\rq')
  await pty.until('━ Order')
  pty.press('q')
  await pty.untilGone('━ Order')

  // An exchange as curl.
  pty.press('2n')
  await pty.until('took #')
  await pty.until(/GET +\S*well-known/)
  pty.press('y')
  await pty.until(/Copy: +u URL/)
  pty.press('c')
  await pty.until('copied: curl, with its token')
  expect(clipboard(pty)).toMatch(/^curl --globoff --path-as-is --request '(GET|POST)'/)

  for (const [key, name, wanted] of [
    ['u', 'URL', /^http:\/\/127\.0\.0\.1:\d+\/.*well-known/],
    ['r', 'reply', /^\{/],
  ] as const) {
    pty.press(`y${key}`)
    await pty.until(`copied: ${name}`)
    expect(clipboard(pty)).toMatch(wanted)
  }

  // What is repeated by itself is not sent again; a call is, with its outcome and a row of its own.
  pty.press('R')
  await pty.until('getManifest is repeated by itself')
  // The clock runs until there is one.
  pty.press('/oauth\r ')
  await pty.until(/POST +\S*oauth/)
  pty.press(' ')
  await pty.until('‖ HOLD')
  pty.press('R')
  await pty.until(/sent again as #\d+: 200 in \d+ ms/)
  await vi.waitFor(() => expect(pty.text().match(/POST +\S*oauth/g)?.length).toBeGreaterThan(1))
  // The rate of the last minute, and the mouse.
  await pty.until(/\d\/s .*p95 \S+ms/)
  expect(pty.modes().mouse).toBe(true)
  pty.press('\u{1b}')
  await pty.untilGone('/oauth ')

  // The form of a fault: completion, a wrong value at its row, the line as it grows, at both sizes.
  pty.press('f/never delivered\r\r')
  await pty.until('━ Add a fault')
  pty.press('\tCONF')
  await pty.until('>CONFIRMED')
  pty.press('\r')
  await pty.until(/drop:(?:operation=\w+,)?event=CONFIRMED/)
  for (let rows_ = 0; rows_ < 12 && !/^>nth /m.test(pty.text()); rows_++) {
    const [before] = pty.rows().filter((row) => row.startsWith('>'))
    pty.press('\t')
    await pty.untilGone(`\n${before ?? ''}`)
  }
  pty.press('0')
  await pty.until('"0" is not a whole number from 1')
  pty.resize(120, 40)
  await pty.until(/^>nth[^]*drop:event=CONFIRMED,nth=0/m)
  expect(pty.rows().length).toBe(40)
  pty.resize(80, 24)
  pty.press('\u{7f}1')
  await pty.until('drop:event=CONFIRMED,nth=1')
  pty.press('\u{5}')
  await pty.until('fault drop:event=CONFIRMED,nth=1_')
  pty.press(',limit=2\r')
  await pty.until('active: drop:event=CONFIRMED,nth=1,limit=2')
  await pty.untilGone('━ Add a fault')
  pty.press('\u{1b}')
  await pty.untilGone('/never')
  pty.press('q')
  await pty.untilGone('━ Faults')

  // What is lost is named; another q is no answer.
  pty.press('qq')
  await pty.until(/Quit\?[^]*\d+ exchanges? not recorded, 5 actions not\s+saved/)
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
    pty.press('3g')
    await pty.until(/> *\d+ .*\n/)
    const first = /^.*> *(\d{4}) /m.exec(pty.text())?.[1]
    await pty.untilGone(new RegExp(`> *${first} `))
    await pty.until(/> *\d{4} /)
    // The order, its detail, and the exchange.
    pty.press('G')
    await pty.until(/✗ *\w\w-\d/)
    pty.press('\r')
    await pty.until(/failed +\w\w-\d/)
    pty.press('q2')
    await pty.untilGone('━ Order')
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
    pty.press('2:1\r')
    await pty.until('no idle polls')
    const hidden = pty.text()
    pty.press('b')
    await pty.untilGone('no idle polls')
    expect(pty.text()).not.toBe(hidden)
    pty.press('b')
    await pty.until('no idle polls')
    pty.press(':30\r')
    await pty.until(/^ *29\/\d+ /m)
    // The order of the exchange is shown as well.
    pty.press('3')
    await pty.until(/━ PRESENT 3 Orders|\[3 Orders\]/)
    await pty.until(/[\da-f]{8}.*(?:CREATED|CONFIRMED|PREPARING|READY|DELIVERED|IN_DELIVERY)/)
    pty.press('?/previous\r')
    await pty.until(/━ Keys .*\/previous/)
    pty.press('q')
    await pty.untilGone('━ Keys')
    pty.press('X')
    await pty.until('X: no such key here')
  })
  pty.press('Q')
  expect((await pty.exited).code).toBe(0)
}, 60_000)
