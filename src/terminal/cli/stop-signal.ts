/** Interrupt handling of long-running verbs: the first interruption aborts a signal, the second exits at once. */
import { exitCode } from './exit-code.ts'
import type { Interruption, Io } from './io.ts'

export interface StopSignal extends Disposable {
  readonly signal: AbortSignal
  /** The kind of interruption; undefined before the first. */
  readonly reason: () => Interruption | undefined
  /** Resolves at the first interruption. */
  readonly stopped: Promise<void>
  /** Ends it as SIGTERM would; nothing where it ends already. */
  readonly stop: () => void
}

export function listenForStop(io: Io): StopSignal {
  const controller = new AbortController()
  const stopped = Promise.withResolvers<void>()
  let first: Interruption | undefined
  const begin = (why: Interruption): void => {
    first = why
    controller.abort()
    stopped.resolve()
  }
  const off = io.onInterrupt((why) => {
    if (first === undefined) begin(why)
    else io.exit(exitCode.interrupted)
  })
  return {
    signal: controller.signal,
    reason: () => first,
    stopped: stopped.promise,
    stop: () => {
      if (first === undefined) begin('SIGTERM')
    },
    [Symbol.dispose]: off,
  }
}
