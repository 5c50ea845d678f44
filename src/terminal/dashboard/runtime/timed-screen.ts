/** A screen of areas for a program that takes a while: it is updated each second, and closed by its operator or a signal. */
import {
  type AreaScreen,
  type AreaScreenOptions,
  openAreaScreen,
  type ScreenModel,
} from './area-screen.tsx'
import type { ExitReason } from './show.tsx'

export interface TimedScreenOptions<Model, Message, Action> extends AreaScreenOptions<
  Model,
  Message,
  Action
> {
  /** Called each second: time passes, although nothing else happens. */
  readonly tick: () => void
  /** Closes the screen. */
  readonly signal?: AbortSignal | undefined
}

export interface TimedScreen<Model, Message> extends AreaScreen<Model, Message> {
  /** Resolves when the operator leaves, or it is interrupted. */
  readonly closed: Promise<ExitReason>
  /** The operator leaves. */
  readonly leave: () => void
  /** Gives the terminal to the shell, until resumed. */
  readonly suspend: (program: () => Promise<void>) => Promise<void>
}

const tickMs = 1000

export function openTimedScreen<Model extends ScreenModel, Message, Action>({
  tick,
  signal,
  ...options
}: TimedScreenOptions<Model, Message, Action>): TimedScreen<Model, Message> {
  const closed = Promise.withResolvers<ExitReason>()
  const screen = openAreaScreen<Model, Message, Action>(options)
  const ticks = setInterval(tick, tickMs)
  const interrupted = (): void => closed.resolve('interrupted')
  if (signal?.aborted === true) interrupted()
  signal?.addEventListener('abort', interrupted, { once: true })
  return {
    ...screen,
    closed: closed.promise,
    leave: () => closed.resolve('quit'),
    suspend: (program) =>
      screen.lend(async () => {
        await program()
        return undefined
      }),
    async close() {
      signal?.removeEventListener('abort', interrupted)
      clearInterval(ticks)
      await screen.close()
      interrupted()
    },
  }
}
