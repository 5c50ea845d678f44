/** How a verb that goes on until somebody stops it learns of that: politely the first time, and no second time. */
import { exitCode } from './exit-code.ts'
import type { Interruption, Io } from './io.ts'

export interface Stopping extends Disposable {
  readonly signal: AbortSignal
  /** Who stopped it; undefined while nobody has. */
  readonly why: () => Interruption | undefined
  /** Resolves when somebody stops it. */
  readonly stopped: Promise<void>
}

export function listenForStop(io: Io): Stopping {
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
    why: () => first,
    stopped: stopped.promise,
    [Symbol.dispose]: off,
  }
}
