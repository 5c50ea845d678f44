/** How fast the reference subject does things. All of it can be made quicker together by a faster clock. */

export interface Pace {
  /** From the answer to a poll to the next poll. */
  readonly pollMs: number
  /** An open order is read again when nothing was heard of it for so long; also how long a chain of attempts cools down. */
  readonly reconcileMs: number
  /** About how long somebody takes for a step of an order. */
  readonly thinkMs: number
  /** How long an answer is waited for. */
  readonly timeoutMs: number
  /** The pause before the second attempt; each further one doubles it. */
  readonly retryMs: number
}

export const usualPace: Pace = {
  pollMs: 1000,
  reconcileMs: 15_000,
  thinkMs: 500,
  timeoutMs: 10_000,
  retryMs: 1000,
}

/** Attempts of one chain, the first included. */
export const mostAttempts = 4
