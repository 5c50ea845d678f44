/**
 * Idle timeout for a service that is expected to make calls: each call restarts it; its length follows from the
 * longest pause in the recording.
 */
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { WorldRuntime } from '../../core/runtime/world-runtime.ts'

/** Lower bound, whatever the recording says. */
const minMs = 5000
/** Upper bound on the wall clock, where a person waits. */
const maxMs = 60_000

/** Twice the longest pause (ms) between two exchanges of this role, within bounds. */
export function idleTimeoutOf(
  exchanges: readonly RecordedExchange[],
  role: string,
  isTimed: boolean,
): number {
  let last: number | undefined
  let longest = 0
  for (const { startedAt, tookMs, from, to } of exchanges) {
    if (from.role !== role && to.role !== role) continue
    if (last !== undefined && from.role === role) longest = Math.max(longest, startedAt - last)
    last = Math.max(last ?? 0, startedAt + tookMs)
  }
  const timeout = Math.max(minMs, 2 * longest)
  return Math.ceil(isTimed ? Math.min(timeout, maxMs) : timeout)
}

export interface IdleWaitOptions {
  readonly runtime: Pick<WorldRuntime, 'pause' | 'underWay'>
  /** Milliseconds of session time. */
  readonly timeoutMs: number
  /** A counter that rises with every activity. */
  readonly progress: () => number
  /** Called after a timeout without progress; returns whether to keep waiting. */
  readonly shouldKeepWaiting: () => boolean
  /** Ends the wait. */
  readonly enough: AbortSignal
}

/** Resolves when the service has been idle for the timeout, or the wait was ended. */
export function waitUntilIdle(options: IdleWaitOptions): Promise<void> {
  const { runtime, timeoutMs: ms, progress, shouldKeepWaiting, enough } = options
  const wait = async (): Promise<void> => {
    while (!enough.aborted) {
      const before = progress()
      const text = 'the service is waited for'
      // Declared as a call, so that a virtual clock keeps advancing.
      await runtime.pause({ whose: 'call', ms, text, enough })
      if (!enough.aborted && progress() === before && !shouldKeepWaiting()) return
    }
  }
  const waiting = wait()
  runtime.underWay(waiting)
  return waiting
}
