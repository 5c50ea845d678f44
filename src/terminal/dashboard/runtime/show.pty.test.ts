// @module-tag slow
/** The dashboard on a real pseudo-terminal: behaviour that only a terminal can show. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi, onTestFinished } from 'vitest'
import { bundleProgram } from '../../../../bench/bundle-program.ts'
import { openPty, type Pty, untouchedModes } from '../../../../test/support/terminal.ts'

/** Compiled once: from its sources each start would compile for two seconds. */
const folder = mkdtempSync(join(tmpdir(), 'sparring-screen-'))
let demo = ''
beforeAll(async () => {
  demo = await bundleProgram('../test/support/dashboard/demo.tsx', folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const root = fileURLToPath(new URL('../../../..', import.meta.url))

interface StartOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

async function start(columns: number, rows: number, options: StartOptions = {}): Promise<Pty> {
  const pty = openPty({
    file: process.execPath,
    args: [demo, ...(options.args ?? [])],
    columns,
    rows,
    cwd: root,
    // CI systems set CI; on a terminal the dashboard must open nevertheless.
    env: { CI: 'true', NODE_ENV: 'production', ...options.env },
  })
  onTestFinished(() => pty.close())
  await pty.until(/LIVE|WAITING/)
  return pty
}

describe('on a terminal', () => {
  test('80x24: creates an order, stops the clock, edits the agenda, and restores the screen', async () => {
    const pty = await start(80, 24)
    // Modes are set one after another, some of them after the first frame.
    await vi.waitFor(() =>
      expect(pty.modes()).toEqual({
        ...untouchedModes,
        alternateScreen: true,
        cursorVisible: false,
        bracketedPaste: true,
        mouse: true,
      }),
    )
    await pty.until('● LIVE')
    expect(pty.cell(1, 0).coloured).toBe(true)
    await pty.pressUntil(' ', '‖ HOLD')
    await pty.pressUntil('N', 'A new order for')
    await pty.pressUntil('d', '1001 DELIVERY')
    await pty.pressUntil('5', '━ FUTURE 5 Agenda')
    await pty.pressUntil('p', '1 held')
    await pty.pressUntilGone('p', '1 held')
    await pty.pressUntil('d', 'copy of #1')
    await pty.pressUntil('x', 'dropped #1')
    await pty.pressUntil('n', 'took #2')
    await pty.until('●CONFIRMED')
    await pty.pressUntil('?', '━ Keys')
    await pty.pressUntilGone('\u{1b}', '━ Keys')
    await pty.pressUntil('q', /Quit\?.* actions not saved/)
    pty.press('y')
    expect(await pty.exited).toEqual({ code: 0, signal: 0 })
    expect(pty.modes()).toEqual(untouchedModes)
    expect(pty.text()).toContain('1 order, 1 open')
    expect(pty.text()).toContain('closed: quit')
    expect(pty.text()).not.toContain('FUTURE')
  })

  test('120x40: follows resizes, down to one row and up again, without scrolling; splits a burst of keys, and draws the chosen row inverse', async () => {
    const pty = await start(120, 40, { args: ['--orders', '4'] })
    await followsResizes(pty)
    pty.resize(120, 40)
    await pty.until('PAST 1 Journal')
    await pty.pressUntil(' ', 'HOLD 4')
    await pty.pressUntil('5G', /> +\S+ · #4/)
    await pty.pressUntil('KKK', /> +\S+ ▸ #4/)
    const row = pty.rows().findIndex((line) => line.includes('▸ #4'))
    const column = pty.rows()[row]!.indexOf('confirm is applied')
    expect(pty.cell(column, row)).toMatchObject({ sign: 'c', inverse: true })
    pty.press('Q')
    expect((await pty.exited).code).toBe(0)
    expect(pty.modes()).toEqual(untouchedModes)
  })

  async function followsResizes(pty: Pty): Promise<void> {
    await pty.until('force')
    for (const [columns, rows, wanted] of [
      [80, 24, '1 Journal [2 Traffic] 3 Orders'],
      [40, 10, 'panes need 60x16'],
      [24, 4, /^ ● LIVE {3}\d\d:\d\d:\d\d\n*$/],
      [150, 45, 'PAST 1 Journal'],
      [100, 30, '1 Journal [2 Traffic] 3 Orders'],
      [200, 60, 'PRESENT 4 Order'],
    ] as const) {
      pty.resize(columns, rows)
      await pty.until(wanted)
      // The last row of the screen is the last row of the dashboard.
      if (rows >= 10) await pty.until(/^ ● LIVE[^]*q quit$/)
      const lines = pty.rows()
      expect(lines.length).toBe(rows)
      expect(lines.filter((line) => line.includes('● LIVE')).length).toBe(1)
    }
  }

  test('the mouse scrolls, chooses, opens and presses keys, and leaves no text behind', async () => {
    const pty = await start(80, 24, { args: ['--orders', '30'] })
    const report = (button: number, column: number, row: number): string =>
      `\u{1b}[<${button};${column + 1};${row + 1}M`
    /** A cell of the text that is on the screen. */
    const cellOf = (text: string): readonly [column: number, row: number] => {
      const row = pty.rows().findIndex((line) => line.includes(text))
      return [pty.rows()[row]?.indexOf(text) ?? -1, row]
    }
    const click = (text: string): string => report(0, ...cellOf(text))
    const chosenRow = (): string => pty.rows().find((line) => line.startsWith('>')) ?? ''

    await pty.pressUntil(click('3 Orders'), '[3 Orders]')
    await pty.until(/>1030/)
    pty.press(click(' 1027'))
    await vi.waitFor(() => expect(chosenRow()).toMatch(/^>1027/))
    const [column, row] = cellOf('>1027')
    expect(pty.cell(column, row).inverse).toBe(true)
    // Down by three rows for each step, with the list below it.
    pty.press(report(65, column, row).repeat(4))
    await vi.waitFor(() => expect(chosenRow()).toMatch(/^>1015/))

    // A double click opens; the wheel scrolls what is open.
    const place = click('>1015')
    await pty.pressUntil(place + place, /━ Order 0000000f/)
    await pty.pressUntilGone('q', '━ Order')
    await pty.pressUntil('?', /━ Keys .* 1-\d+ of \d+/)
    await pty.pressUntil(report(65, 5, 10), /━ Keys .* 4-\d+ of \d+/)
    await pty.pressUntilGone('q', '━ Keys')

    // In a text prompt nothing of a report is text, in pieces either.
    await pty.pressUntil('/', 'enter keep')
    for (const sign of `a${report(0, 3, 5)}b${report(64, 3, 5)}c`) {
      pty.press(sign)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await pty.until(' / abc_')
    await pty.pressUntilGone('\u{1b}', 'abc')

    // Beside each other: the wheel leaves the focus, a click takes it along, and hints are keys.
    pty.resize(120, 40)
    await pty.until('━ PRESENT 3 Orders')
    await pty.pressUntil(' ', 'HOLD')
    pty.press(report(65, ...cellOf('FUTURE 5')))
    await pty.pressUntil(click('FUTURE 5 Agenda'), '━ FUTURE 5 Agenda')
    await pty.pressUntil(click('? help'), '━ Keys')
    await pty.pressUntil('/shift+drag', /shift\+drag +select text by the terminal/)
    await pty.pressUntil('\r', 'q close')
    await pty.pressUntilGone(click('q close'), '━ Keys')
    // Wheels by the thousand are no keys and no queue.
    pty.press(report(64, 100, 30).repeat(2000))
    pty.press('Q')
    expect((await pty.exited).code).toBe(0)
    expect(pty.modes()).toEqual(untouchedModes)
  })

  test('pasted text is ignored outside text prompts; ctrl-c twice quits', async () => {
    const pty = await start(80, 24)
    const paste = (text: string): void => pty.press(`\u{1b}[200~${text}\u{1b}[201~`)
    paste('NdQ')
    await pty.pressUntil('5', '━ FUTURE 5 Agenda')
    expect(pty.text()).toContain('0 pending')
    await pty.pressUntil('/', 'enter keep')
    paste('status>=400')
    await pty.until('/status>=400')
    await pty.pressUntil('\r', '? help')
    await pty.pressUntil('\u{3}', 'ctrl-c again quits')
    pty.press('\u{3}')
    expect((await pty.exited).code).toBe(0)
    expect(pty.modes()).toEqual(untouchedModes)
  })

  test('NO_COLOR removes all colours; a signal closes it and restores the screen', async () => {
    const pty = await start(80, 24, { args: ['--no-mouse'], env: { NO_COLOR: '1' } })
    expect(pty.modes().mouse).toBe(false)
    for (let code = 30; code < 40; code++) expect(pty.written()).not.toContain(`[${code}m`)
    pty.signal('SIGTERM')
    expect((await pty.exited).code).toBe(0)
    expect(pty.modes()).toEqual(untouchedModes)
    expect(pty.text()).toContain('closed: interrupted')
  })

  test('an uncaught exception restores the screen and is printed readably', async () => {
    const pty = await start(80, 24)
    pty.signal('SIGUSR2')
    expect((await pty.exited).code).toBe(1)
    expect(pty.modes()).toEqual(untouchedModes)
    expect(pty.text()).toContain('a mistake somewhere else')
  })

  test('ctrl-z suspends to the shell, and fg restores the dashboard', async () => {
    const shell = openPty({
      file: '/bin/bash',
      args: ['--norc', '--noprofile', '-i'],
      columns: 80,
      rows: 24,
      cwd: root,
      env: { PS1: 'shell> ', NODE_ENV: 'production' },
    })
    onTestFinished(() => shell.close())
    await shell.until('shell>')
    await shell.pressUntil(`"${process.execPath}" "${demo}"\r`, '● LIVE')
    await shell.pressUntil('\u{1a}', 'Stopped')
    expect(shell.modes()).toEqual({
      ...untouchedModes,
      bracketedPaste: shell.modes().bracketedPaste,
    })
    await shell.pressUntil('fg\r', '● LIVE')
    await vi.waitFor(() =>
      expect(shell.modes()).toMatchObject({ alternateScreen: true, mouse: true }),
    )
    await shell.pressUntil('N', 'A new order for')
    await shell.pressUntil('dQ', 'closed: quit')
    shell.press('exit\r')
    await shell.exited
  })
})

describe('a terminal that does not consume output', () => {
  const blockedMs = 1500
  test('does not block the process, and gets the newest frame once it reads again', async () => {
    const pty = await start(200, 60, { args: ['--flood', '--measure'] })
    pty.pause()
    await new Promise((resolve) => setTimeout(resolve, blockedMs))
    pty.resume()
    await pty.pressUntil('?', '━ Keys')
    pty.press('Q')
    expect((await pty.exited).code).toBe(0)
    const delay = /longest pause (\d+) ms/.exec(pty.text())
    // Blocked, it would be all that time.
    expect(Number(delay?.[1])).toBeLessThan(blockedMs)
  })
})
