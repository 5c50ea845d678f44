/**
 * How long a service is waited for that is to make calls of its own: as long as it goes on with them, and then for as
 * long as it ever took in the recording.
 */
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { Stage } from '../world-runtime.ts'

/** Whatever the recording says, a service gets this long. */
const leastMs = 5000
/** A person sits before it where the wall's clock goes. */
const mostMs = 60_000

/** From the longest time that a service of this role let pass between two exchanges with it. */
export function patienceOf(
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
  const patience = Math.max(leastMs, 2 * longest)
  return Math.ceil(isTimed ? Math.min(patience, mostMs) : patience)
}

export interface WaitOptions {
  readonly stage: Pick<Stage, 'pause' | 'underWay'>
  /** In the session's time. */
  readonly patienceMs: number
  /** What rises as long as something goes on. */
  readonly progress: () => number
  /** Nothing went on for so long; answers whether there is any sense in waiting longer. */
  readonly onStill: () => boolean
  /** Nobody waits any longer. */
  readonly enough: AbortSignal
}

/** Resolves when there is no more sense in waiting. */
export function waitWhileItGoesOn(options: WaitOptions): Promise<void> {
  const { stage, patienceMs: ms, progress, onStill, enough } = options
  const wait = async (): Promise<void> => {
    while (!enough.aborted) {
      const before = progress()
      const text = 'the service is waited for'
      // It is no call that anybody makes, but like one it must keep a virtual session going.
      await stage.pause({ whose: 'call', ms, text, enough })
      if (!enough.aborted && progress() === before && !onStill()) return
    }
  }
  const waiting = wait()
  stage.underWay(waiting)
  return waiting
}
