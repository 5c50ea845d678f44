/**
 * What a measured time says about a limit, by how late Sparring itself was: the only place that decides between a
 * violation and a doubt. Every rule that judges elapsed time goes through it.
 */
import type { Instant } from '../../../engine/instant.ts'
import type { LagRecord } from './lag-record.ts'

/** `inconclusive`: the limit is not kept, and the lag could be the cause. */
export type Timing =
  | { readonly outcome: 'fine' | 'failed' }
  | { readonly outcome: 'inconclusive'; readonly lagMs: number }

interface Measured {
  readonly from: Instant
  readonly to: Instant
  /** By how many ms the limit is not kept; 0 or less when it is. */
  readonly byMs: number
}

/**
 * Only our own lag can be measured. It counts twice: once for what we did and dated late, and once for the service,
 * which as a rule runs on the same machine and is taken to have been as late as we were.
 */
const lagFactor = 2

const fine: Timing = { outcome: 'fine' }
const failed: Timing = { outcome: 'failed' }

export type LagSource = Pick<LagRecord, 'between'>

/** What measured times say, by the lag at those times. */
export interface Timings {
  readonly of: (measured: Measured) => Timing
  /** The time from one instant to another is at most so long. */
  readonly atMost: (from: Instant, to: Instant, ms: number) => Timing
  /** The time from one instant to another is at least so long. */
  readonly atLeast: (from: Instant, to: Instant, ms: number) => Timing
  /**
   * Something came after another thing, by their dates alone: the order in which both really were may be the other one
   * when they are no further apart than the lag.
   */
  readonly inOrder: (from: Instant, to: Instant) => Timing
}

export function createTimings(lag: LagSource): Timings {
  function of({ from, to, byMs }: Measured): Timing {
    if (byMs <= 0) return fine
    const lagMs = lag.between(from, to)
    return lagMs > 0 && lagFactor * lagMs >= byMs ? { outcome: 'inconclusive', lagMs } : failed
  }
  return {
    of,
    atMost: (from, to, ms) => of({ from, to, byMs: to - from - ms }),
    atLeast: (from, to, ms) => of({ from, to, byMs: ms - (to - from) }),
    inOrder: (from, to) => of({ from, to, byMs: Math.max(1, to - from) }),
  }
}

/** A violation that takes all of these: fine if one of them is, inconclusive if one of them is. */
export function allOf(...timings: readonly Timing[]): Timing {
  let result: Timing = failed
  for (const timing of timings) {
    if (timing.outcome === 'fine') return fine
    if (timing.outcome === 'inconclusive') result = timing
  }
  return result
}
