/**
 * When Sparring itself was late, on the session's clock: its event loop was blocked or starved, or an item of the
 * agenda was taken after its time. Whatever it did or dated then is late by up to as much.
 */
import type { Instant } from '../../../engine/instant.ts'

/** Sparring was `ms` late between two instants. */
export interface Lag {
  readonly from: Instant
  readonly to: Instant
  readonly ms: number
}

export interface LagRecord {
  /** Must be called in the order of `to`. Overlapping lags become one. */
  readonly add: (lag: Lag) => void
  /**
   * Milliseconds that Sparring was late between two instants. A lag that ended less than `backlogMs` before `from`, or less
   * than it lasted, counts in full: what is dated `from` may have waited for its end, and for what had piled up until then.
   */
  readonly between: (from: Instant, to: Instant) => number
}

/** Maximum number of lags kept apart; beyond it neighbours are joined, so that no lag is ever forgotten. */
const maxLags = 4096
function join(one: Lag, other: Lag): Lag {
  const from = Math.min(one.from, other.from)
  const to = Math.max(one.to, other.to)
  const shared = Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from))
  return { from, to, ms: Math.min(to - from, one.ms + other.ms - Math.min(shared, other.ms)) }
}

/** The longest backlog, in multiples of the usual one. */
const maxBacklogs = 30

/** `backlogMs`: the session time after a short lag within which its backlog is served; that of a longer one takes longer. */
export function createLagRecord(backlogMs: () => number): LagRecord {
  /** Oldest first, without overlaps. */
  let lags: Lag[] = []

  /** The first lag that ended at an instant or after it. */
  function firstIndexFrom(instant: Instant): number {
    let [low, high] = [0, lags.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((lags[middle]?.to ?? 0) < instant) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    add(lag) {
      let added = lag
      for (let last = lags.at(-1); last && last.to >= added.from; last = lags.at(-1)) {
        added = join(last, added)
        lags.pop()
      }
      lags.push(added)
      if (lags.length <= maxLags) return
      lags = lags.flatMap((one, index) => {
        const next = lags[index + 1]
        return index % 2 === 1 ? [] : next ? [join(one, next)] : [one]
      })
    },
    between(from, to) {
      let ms = 0
      const backlog = backlogMs()
      for (let index = firstIndexFrom(from - maxBacklogs * backlog); index < lags.length; index++) {
        const lag = lags[index]
        if (!lag || lag.from >= to) break
        if (lag.to + Math.max(backlog, lag.ms) >= from)
          ms += Math.min(lag.ms, Math.min(lag.to, to) - lag.from)
      }
      return ms
    },
  }
}
