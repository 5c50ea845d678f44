/** `--plain` on a real terminal: a session and a recording by typed lines, without any escape sequence. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, onTestFinished } from 'vitest'
import { commandLine, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import { openPty, type Pty } from '../../../test/support/terminal.ts'

const startMs = 30_000

function open(more: Readonly<Record<string, string>>, ...words: readonly string[]): Pty {
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'sparring.config.yaml'),
    'capabilities: { indoor: false, logistics: false, customer: false }\n',
  )
  const { file, args, env } = commandLine(...words)
  const pty = openPty({
    file,
    args,
    columns: 80,
    rows: 24,
    cwd,
    env: { ...env, HOME: cwd, NODE_ENV: 'production', ...more },
  })
  onTestFinished(() => pty.close())
  return pty
}

/** Everything since the command was typed, once it has what is wanted. */
async function say(pty: Pty, line: string, wanted: string | RegExp): Promise<string> {
  const from = pty.written().length
  pty.press(`${line}\r`)
  const since = (): string => pty.written().slice(from).replaceAll('\r\n', '\n')
  await expect
    .poll(since, { timeout: 45_000, interval: 20 })
    .toMatch(
      typeof wanted === 'string'
        ? new RegExp(wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        : wanted,
    )
  return since()
}

/** Escape sequences, box drawing, spinners and signs that stand for words. */
const signs = new RegExp(String.raw`[\u{1b}\u{2190}-\u{2bff}\u{2800}-\u{28ff}]`, 'u')

test('a session by lines: what is on the screen of the dashboard, and every action of its palette', async () => {
  const pty = open(
    {},
    ...'up --plain --port 0 --orders-every 0 --seed 7 --clock stepped'.split(' '),
  )
  await pty.until('Type a command and enter', startMs)

  // Commands with an answer each, an action of the palette by its words, and by its number.
  expect(await say(pty, 'new order takeout', 'a new order was made')).toMatch(/order o1, number/)
  await say(pty, 'new order: delivery', 'a new order was made')
  await say(pty, 'orders', /Orders: 2\norder o2, .*DELIVERY, CREATED.*\norder o1, .*TAKEOUT/)
  await say(pty, 'order o1', /Order [\da-f-]{36}[^]*"orderType": "TAKEOUT"/)
  await say(pty, 'agenda', /Agenda[^]*item \d+, .*due/)
  await say(pty, 'step', /took #\d+/)
  await say(pty, 'traffic', /Traffic[^]*exchange 1, .* SS to OA, /)
  await say(pty, 'exchange 1', /Exchange 1 /)

  // Questions are answered by a word or a text, and an empty line leaves them.
  await say(pty, 'make a new order', 'A new order for')
  await say(pty, '', 'Done.')
  await say(pty, 'N', 'A new order for')
  await say(pty, 'delivery', 'a new order was made')

  // Faults: in one line, with what is wrong in words; listed, and disabled.
  await say(pty, 'faults add drop:event=CONFIRMD', /is CONFIRMED meant\?/)
  await say(pty, 'faults add drop:event=CONFIRMED,nth=1', 'active: drop:event=CONFIRMED,nth=1')
  await say(pty, 'faults', /Active[^]*1 drop:event=CONFIRMED,nth=1 +fired 0/)
  await say(pty, 'faults remove 1', 'disabled: drop:event=CONFIRMED,nth=1')

  await say(pty, 'explain o1', /Story of/)
  await say(pty, 'verdicts', 'no service of yours takes part')
  await say(pty, 'verdict', 'which rule? verdicts lists them')
  await say(pty, 'orders create', /orders takes no more words.*npx sparring orders create/)
  await say(pty, 'resume', 'clock runs')
  await say(pty, 'pause', 'clock paused')
  await say(pty, 'status', 'Clock paused')
  await say(pty, 'help', /orders: the orders, newest first[^]*ctrl-c ends/)
  await say(pty, 'actions undo', /1: undo the last edit made by hand/)
  await say(pty, 'nonsense zzz', 'No command or action is called "nonsense zzz"; type help.')

  // Tab completes a command, and an argument of the session; up brings a line back.
  const from = pty.written().length
  pty.press('expl\t o3')
  await expect.poll(() => pty.written().slice(from)).toContain('explain')
  pty.press('\u{15}faults re\t')
  await expect.poll(() => pty.written().slice(from)).toContain('faults remove')
  pty.press('\u{3}\u{1b}[A')
  await expect.poll(() => pty.written().slice(from)).toMatch(/nonsense zzz$/)
  pty.press('\u{3}')

  await say(pty, 'quit', /Quit\?.*actions? not saved/)
  await say(pty, 'perhaps', 'no answer to this')
  await say(pty, 'esc', 'Done.')
  await say(pty, 'quit', 'Quit?')
  // A command is no answer: it leaves the question.
  await say(pty, 'status', 'Clock paused')
  await say(pty, 'quit', 'Quit?')
  pty.press('yes\r')
  expect(await pty.exited).toEqual({ code: 0, signal: 0 })
  expect(pty.text()).toMatch(/3 orders, 3 open/)
  expect(pty.written()).not.toMatch(signs)
}, 60_000)

test('a recording by lines, switched on in the environment; ctrl-c ends it', async () => {
  const recording = fileURLToPath(
    new URL('../../../recordings/happy-path.rec.ndjson', import.meta.url),
  )
  const pty = open({ SPARRING_PLAIN: '1' }, 'replay', recording)
  await pty.until('Type a command and enter', startMs)
  await say(pty, 'traffic', /Recording .*, \d+ exchanges: [^]*exchange 1, .*this is the place/)
  await say(pty, 'exchange 20', /#20 /)
  await say(pty, 'orders', /Orders: \d/)
  await say(pty, 'new order', 'nothing is sent without a target')
  pty.press('\u{3}')
  expect((await pty.exited).code).toBe(0)
  expect(pty.written()).toContain('nothing was sent')
  expect(pty.written()).not.toMatch(signs)
}, 60_000)
