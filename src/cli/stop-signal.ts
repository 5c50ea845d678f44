/** Interrupt handling of long-running verbs: the first interruption aborts a signal, the second exits at once. */
import { exitCode } from './exit-code.ts'
import type { Interruption, Io } from './io.ts'

export interface StopSignal extends Disposable {
  readonly signal: AbortSignal
  /** The kind of interruption; undefined before the first. */
  readonly reason: () => Interruption | undefined
  /** Resolves at the first interruption. */
  readonly stopped: Promise<void>
}

export function listenForStop(io: Io): StopSignal {
  const controller = new AbortController()
  const stopped = Promise.withResolvers<void>()
  let first: Interruption | undefined
  const off = io.onInterrupt((why) => {
    if (first !== undefined) return io.exit(exitCode.interrupted)
    first = why
    controller.abort()
    stopped.resolve()
  })
  return {
    signal: controller.signal,
    reason: () => first,
    stopped: stopped.promise,
    [Symbol.dispose]: off,
  }
}
