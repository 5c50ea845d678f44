/**
 * What a measured time says about a limit, by how late Sparring itself was: the only place that decides between a
 * violation and a doubt. Every rule that judges elapsed time goes through it: a service is too slow only when it is so on
 * the session's clock and on its own, and too quick only when it is so on both.
 */
import type { Instant } from '../../../engine/instant.ts'
import type { LagRecord } from './lag-record.ts'
import { type Moment, type ServiceClock, sessionAsServiceClock } from './service-clock.ts'

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

/** So much of a time of the session a service must have had on its own clock, which may be the wall's. */
export const ownShare = 0.2

const fine: Timing = { outcome: 'fine' }
const failed: Timing = { outcome: 'failed' }

export interface LagSource extends Pick<LagRecord, 'between'> {
  /** Milliseconds of lag between two moments of the wall clock. */
  readonly betweenWall?: (from: number, to: number) => number
}

/** What measured times say, by the lag at those times. */
export interface Timings {
  readonly of: (measured: Measured) => Timing
  /** The time from one instant to another is at most so long, on the session's clock or on the service's. */
  readonly atMost: (from: Instant, to: Instant, ms: number) => Timing
  /** The same, until now. */
  readonly atMostUntilNow: (from: Instant, now: Instant, ms: number) => Timing
  /** The time from one moment to another is at least so long, on the session's clock or on the service's. */
  readonly atLeast: (from: Moment, to: Moment, ms: number) => Timing
  /** The time between two moments on the clock of the service, in ms of the session; until now without a second. */
  readonly ownMs: (from: Moment, to?: Moment) => number
  /** The time between two moments, on the clock on which it is longer. */
  readonly longestMs: (from: Moment, to: Moment) => number
  /**
   * Something came after another thing, by their dates alone: the order in which both really were may be the other one
   * when they are no further apart than the lag.
   */
  readonly inOrder: (from: Instant, to: Instant) => Timing
}

export class LaggedTimings implements Timings {
  readonly #lag: LagSource
  readonly #service: ServiceClock

  constructor(lag: LagSource, service: ServiceClock = sessionAsServiceClock) {
    this.#lag = lag
    this.#service = service
  }

  of({ from, to, byMs }: Measured): Timing {
    return byMs <= 0 ? fine : doubtful(byMs, this.#lag.between(from, to))
  }

  atMost(from: Instant, to: Instant, ms: number): Timing {
    if (to - from <= ms) return fine
    return this.of({ from, to, byMs: Math.min(to - from, this.#service.atLeast(from, to)) - ms })
  }

  atMostUntilNow(from: Instant, now: Instant, ms: number): Timing {
    if (now - from <= ms) return fine
    return this.of({ from, to: now, byMs: Math.min(now - from, this.#service.atLeast(from)) - ms })
  }

  atLeast(from: Moment, to: Moment, ms: number): Timing {
    const byMs = ms - this.longestMs(from, to)
    if (byMs <= 0) return fine
    const lagMs = this.#lag.between(from.at, to.at)
    const wallLagMs = this.#lag.betweenWall?.(from.wall, to.wall) ?? 0
    return doubtful(byMs, Math.max(lagMs, wallLagMs * this.#service.pace()))
  }

  /** The service has certainly had so long, whatever the session's clock did and however late we were. */
  hasPassed(from: Instant, to: Instant, ms: number): boolean {
    if (to - from < ms || to - from - lagFactor * this.#lag.between(from, to) < ms) return false
    return this.#service.atLeast(from, to) >= ownShare * ms * this.#service.pace()
  }

  ownMs(from: Moment, to?: Moment): number {
    return this.#service.between(from, to)
  }

  longestMs(from: Moment, to: Moment): number {
    return Math.max(to.at - from.at, this.#service.between(from, to))
  }

  inOrder(from: Instant, to: Instant): Timing {
    return this.of({ from, to, byMs: Math.max(1, to - from) })
  }
}

const doubtful = (byMs: number, lagMs: number): Timing =>
  lagMs > 0 && lagFactor * lagMs >= byMs ? { outcome: 'inconclusive', lagMs } : failed

/** A violation that takes all of these: fine if one of them is, inconclusive if one of them is. */
export function allOf(...timings: readonly Timing[]): Timing {
  let result: Timing = failed
  for (const timing of timings) {
    if (timing.outcome === 'fine') return fine
    if (timing.outcome === 'inconclusive') result = timing
  }
  return result
}
