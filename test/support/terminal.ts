/**
 * A program in a real pseudo-terminal: press keys, wait for text, read the screen. A full terminal emulator renders the
 * screen, so tests read what a person sees, with colours and modes.
 */
import { compact } from '../../src/core/base/compact.ts'
import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'

export interface PtyOptions {
  readonly file: string
  readonly args: readonly string[]
  readonly columns: number
  readonly rows: number
  readonly cwd?: string
  /** Added to a minimal environment; only PATH is inherited. */
  readonly env?: Readonly<Record<string, string>>
}

export interface Pty {
  readonly pid: number
  /** Keys as bytes, as a terminal sends them. */
  readonly press: (keys: string) => void
  /** The rows of the screen, without trailing blanks. */
  readonly rows: () => readonly string[]
  readonly text: () => string
  /** Waits until the screen shows it; the error includes the screen. */
  readonly until: (wanted: string | RegExp, withinMs?: number) => Promise<void>
  readonly untilGone: (unwanted: string | RegExp, withinMs?: number) => Promise<void>
  /** Presses keys, and waits until the screen shows what they do. */
  readonly pressUntil: (keys: string, wanted: string | RegExp) => Promise<void>
  readonly pressUntilGone: (keys: string, unwanted: string | RegExp) => Promise<void>
  readonly resize: (columns: number, rows: number) => void
  readonly signal: (signal: string) => void
  /** Hangs up, as when the window is closed: the program gets SIGHUP and its writes fail. */
  readonly hangUp: () => void
  /** Stops reading, so that the terminal buffer of the program fills up. */
  readonly pause: () => void
  readonly resume: () => void
  readonly modes: () => PtyModes
  /** The character of a cell, and whether it is inverse or coloured. */
  readonly cell: (column: number, row: number) => PtyCell
  /** All output of the program. */
  readonly written: () => string
  readonly exited: Promise<{ readonly code: number; readonly signal: number }>
  /** Ends the program, if it is running. */
  readonly close: () => Promise<void>
}

interface PtyModes {
  readonly alternateScreen: boolean
  readonly cursorVisible: boolean
  readonly bracketedPaste: boolean
  readonly mouse: boolean
}

interface PtyCell {
  readonly sign: string
  readonly inverse: boolean
  readonly coloured: boolean
}

/** Less than the time limit of a test, so that a wait in vain shows the screen. */
const waitMs = 45_000
const settleMs = 3

export function openPty(options: PtyOptions): Pty {
  const { columns, rows } = options
  const screen = new headless.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 200,
  })
  let cursorVisible = true
  // The emulator does not expose this mode, so it is parsed from the output.
  for (const [final, value] of [
    ['h', true],
    ['l', false],
  ] as const)
    screen.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
      if (parameters.includes(25)) cursorVisible = value
      return false
    })

  const program = spawn(options.file, [...options.args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    ...compact({ cwd: options.cwd }),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...options.env,
    },
  })
  let written = ''
  let ended = false
  /** Called a moment after each change of the screen: a frame may come in parts. */
  const looks = new Set<() => void>()
  let planned: NodeJS.Timeout | undefined
  const changed = (): void => {
    planned ??= setTimeout(() => {
      planned = undefined
      for (const look of looks) look()
    }, settleMs)
  }
  program.onData((data) => {
    written += data
    screen.write(data, changed)
  })
  // Replies of the emulator to queries of the program.
  screen.onData((data) => {
    if (!ended) program.write(data)
  })
  const exited = new Promise<{ code: number; signal: number }>((resolve) => {
    program.onExit(({ exitCode, signal = 0 }) => {
      ended = true
      // The emulator must parse the last output first.
      screen.write('', () => resolve({ code: exitCode, signal }))
    })
  })

  const readRows = (): readonly string[] => {
    const { active } = screen.buffer
    return Array.from({ length: screen.rows }, (_, index) =>
      (active.getLine(active.viewportY + index)?.translateToString(true) ?? '').trimEnd(),
    )
  }
  const text = (): string => readRows().join('\n')
  const shows = (wanted: string | RegExp): boolean =>
    typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text())

  const untilShown = (done: () => boolean, what: string, withinMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        looks.delete(look)
        clearTimeout(timer)
      }
      const look = (): void => {
        if (!done()) return
        settle()
        resolve()
      }
      const timer = setTimeout(() => {
        settle()
        reject(new Error(`${what} within ${withinMs} ms; the screen was:\n${text()}`))
      }, withinMs)
      looks.add(look)
      look()
    })

  const press = (keys: string): void => program.write(keys)
  const until: Pty['until'] = (wanted, withinMs = waitMs) =>
    untilShown(() => shows(wanted), `the screen did not show ${String(wanted)}`, withinMs)
  const untilGone: Pty['untilGone'] = (unwanted, withinMs = waitMs) =>
    untilShown(() => !shows(unwanted), `the screen kept showing ${String(unwanted)}`, withinMs)
  const pressAnd =
    (wait: Pty['until']): Pty['pressUntil'] =>
    (keys, sight) => {
      press(keys)
      return wait(sight)
    }

  return {
    pid: program.pid,
    press,
    rows: readRows,
    text,
    until,
    untilGone,
    pressUntil: pressAnd(until),
    pressUntilGone: pressAnd(untilGone),
    resize(newColumns, newRows) {
      // The emulator first: the program replies to the new size afterwards.
      screen.resize(newColumns, newRows)
      changed()
      program.resize(newColumns, newRows)
    },
    signal: (signal) => program.kill(signal),
    hangUp() {
      // Missing in its types.
      if ('destroy' in program && typeof program.destroy === 'function') program.destroy()
    },
    pause: () => program.pause(),
    resume: () => program.resume(),
    modes: () => ({
      alternateScreen: screen.buffer.active.type === 'alternate',
      cursorVisible,
      bracketedPaste: screen.modes.bracketedPasteMode,
      mouse: screen.modes.mouseTrackingMode !== 'none',
    }),
    cell(column, row) {
      const { active } = screen.buffer
      const cell = active.getLine(active.viewportY + row)?.getCell(column)
      return {
        sign: cell?.getChars() ?? '',
        inverse: Boolean(cell?.isInverse()),
        coloured: cell !== undefined && !cell.isFgDefault(),
      }
    },
    written: () => written,
    exited,
    async close() {
      if (!ended) program.kill('SIGKILL')
      await exited
      screen.dispose()
    },
  }
}

/** Terminal state before a screen is opened, and after it is closed. */
export const untouchedModes = {
  alternateScreen: false,
  cursorVisible: true,
  bracketedPaste: false,
  mouse: false,
} as const
