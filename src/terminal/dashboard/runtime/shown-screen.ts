/** An Ink program on the whole terminal, which gives the terminal to something else for a while and takes it back. */
import { type Instance, render } from 'ink'
import type { ReactNode } from 'react'
import { fullScreenOptions, type TerminalStreams } from './full-screen.ts'

/** The terminal, taken for as long as the screen is shown; created in `edge`. */
export interface TakenTerminal extends TerminalStreams {
  /** Restores the terminal as it was. */
  readonly close: () => Promise<void>
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/** What something else that had the terminal has come to; nothing where there is nothing to tell. */
export interface AsideOutcome {
  readonly text?: string
  /** It failed. */
  readonly isError?: true
}

export interface ShownScreenOptions {
  /** Called at the beginning, and again after something else had the terminal. */
  readonly openTerminal: () => TakenTerminal
  readonly onResize: (size: ScreenSize) => void
  /** What is drawn; called for each time that the terminal is taken. */
  readonly element: () => ReactNode
}

export interface ShownScreen {
  readonly size: ScreenSize
  /** Takes the screen: until then nothing is drawn. */
  readonly begin: () => void
  /** The screen is shown, and the terminal has consumed the last frame. */
  readonly isDrained: () => boolean
  /** Gives the terminal to something else for as long as it takes; one after the other. */
  readonly lend: (
    to: () => Promise<string | undefined>,
    whenDone: (outcome: AsideOutcome) => void,
  ) => Promise<void>
  /** Restores the terminal. */
  readonly close: () => Promise<void>
}

export const errorText = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

export function openShownScreen({
  openTerminal,
  onResize,
  element,
}: ShownScreenOptions): ShownScreen {
  let terminal = openTerminal()
  let app: Instance | undefined
  let isAside = false
  let isClosing = false
  let asideWork: Promise<void> = Promise.resolve()
  const size = (): ScreenSize => ({
    columns: terminal.output.columns,
    rows: terminal.output.rows,
  })
  const resized = (): void => onResize(size())

  function mount(): void {
    // Registered before Ink's listener: the first frame after a resize already has the new size.
    terminal.output.on('resize', resized)
    app = render(element(), fullScreenOptions(terminal))
  }

  async function unmount(): Promise<void> {
    terminal.output.off('resize', resized)
    app?.unmount()
    await app?.waitUntilExit().catch(() => undefined)
    await terminal.close()
  }

  async function aside(
    to: () => Promise<string | undefined>,
    whenDone: (outcome: AsideOutcome) => void,
  ): Promise<void> {
    if (isClosing) return
    isAside = true
    await unmount()
    let outcome: AsideOutcome = {}
    try {
      const text = await to()
      if (text !== undefined) outcome = { text }
    } catch (error) {
      outcome = { text: errorText(error), isError: true }
    }
    if (isClosing) return
    terminal = openTerminal()
    isAside = false
    resized()
    whenDone(outcome)
    mount()
  }

  return {
    size: size(),
    begin: mount,
    isDrained: () => !isAside && terminal.output.writableLength === 0,
    lend: (to, whenDone) => (asideWork = asideWork.then(() => aside(to, whenDone))),
    async close() {
      if (isClosing) return
      isClosing = true
      await asideWork
      if (!isAside) await unmount()
    },
  }
}
