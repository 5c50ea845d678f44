/**
 * The clock of the service, as far as it is another than the session's. A service that sleeps by the wall clock goes on
 * while the session's clock stands, and gets no time when that clock jumps.
 */
import type { Instant } from '../../../engine/instant.ts'

/** A moment on the clock of the session, and on that of the wall. */
export interface Moment {
  readonly at: Instant
  readonly wall: number
}

export interface ServiceClock {
  /** The service's own time between two moments, in ms of the session; until now where there is no second. */
  readonly between: (from: Moment, to?: Moment) => number
  /** The service's own time between two instants of the session, at least; until now where there is no second. */
  readonly atLeast: (from: Instant, to?: Instant) => number
  /** Milliseconds of the session in one of the service's, at most; 1 or more. */
  readonly pace: () => number
}

/** A service that sleeps by the session's clock. */
export const sessionAsServiceClock: ServiceClock = {
  between: (from, to) => (to ? to.at - from.at : Infinity),
  atLeast: () => Infinity,
  pace: () => 1,
}
