/** The keys of the dashboard on a real terminal: palette, search, copy, next in a detail, answers. One session per size. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { commandLine, emptyFolder } from '../../test/support/spawn-sparring.ts'
import { openPty, type Pty } from '../../test/support/terminal.ts'

const ptys: Pty[] = []
afterEach(async () => {
  for (const pty of ptys.splice(0)) await pty.close()
})

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
  ptys.push(pty)
  await pty.until('‖ HOLD', 30_000)
  const ready = JSON.parse(readFileSync(join(cwd, 'ready.json'), 'utf8')) as { control: string }
  return { pty, control: ready.control }
}

test.each([
  [80, 24],
  [120, 40],
])(
  'by keys at %ix%i: palette, search, copy, next, and every key is answered',
  async (columns, rows) => {
    const { pty } = await up(columns, rows)

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

    // The same exchange again, with its outcome; the header has the rate of the last minute.
    pty.press('R')
    await pty.until(/sent again as #\d+: \d{3} in \d+ ms|is repeated by itself/)
    await pty.until(/\d\/s p95 /)
    expect(pty.modes().mouse).toBe(true)

    // What is lost is named; another q is no answer.
    pty.press('qq')
    await pty.until(/Quit\?[^]*\d+ exchanges? not recorded, 3 actions not\s+saved/)
    pty.press('y')
    expect((await pty.exited).code).toBe(0)
  },
  60_000,
)
