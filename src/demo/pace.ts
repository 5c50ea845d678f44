/** Intervals and timeouts of the reference subject; a scaled clock speeds up all of them together. */

export interface Pace {
  /** Milliseconds from the reply to a poll to the next poll. */
  readonly pollMs: number
  /** An open order is read again after so many ms without an event; also the cool-down after a chain of attempts. */
  readonly reconcileMs: number
  /** Mean time of one step of an order, in ms. */
  readonly thinkMs: number
  /** Timeout of a request, in ms. */
  readonly timeoutMs: number
  /** Pause before the second attempt, in ms; doubled for each further one. */
  readonly retryMs: number
  /** Attempts per chain, including the first; without end, the pause stays at its longest. */
  readonly attempts: number
}

export const defaultPace: Pace = {
  pollMs: 1000,
  reconcileMs: 15_000,
  thinkMs: 500,
  timeoutMs: 10_000,
  retryMs: 1000,
  attempts: 4,
}
