/**
 * Retry state of one operation on one entity: backoff of 1, 2 and 4 seconds with jitter, then a cool-down after four
 * attempts.
 * It outlives a chain of attempts, so that a new trigger cannot skip the backoff.
 */
import type { Clock } from './clock.ts'
import type { Wrong } from './defects.ts'
import { mostAttempts, type Pace } from './pace.ts'

export interface Patience {
  tries: number
  /** Number of cool-downs so far. */
  rounds: number
  notBefore: number
  /** Kind of the last failure. */
  failure?: string
  /** No retry. */
  readonly once?: true
}

export const freshPatience = (): Patience => ({ tries: 0, rounds: 0, notBefore: 0 })

/** For calls that are not retried because they recur anyway. */
export const noPatience = (): Patience => ({ ...freshPatience(), once: true })

export function forgive(patience: Patience): void {
  patience.tries = 0
  patience.notBefore = 0
  delete patience.failure
}

interface Parts {
  readonly clock: Clock
  readonly pace: Pace
  readonly wrong: Wrong
}

/** Jitter of 20 % either way, so that chains that failed together do not retry together. */
export const jittered = (ms: number, clock: Clock): number =>
  Math.round(ms * (0.8 + 0.4 * clock.random()))

function pauseAfter(tries: number, { clock, pace, wrong }: Parts): number {
  if (wrong('retries-without-pause')) return 0
  const doubled = wrong('retries-at-fixed-pace') ? 1 : 2 ** Math.min(tries - 1, mostAttempts - 2)
  const pause = pace.retryMs * doubled
  return wrong('retries-in-step') ? pause : jittered(pause, clock)
}

/** Records a failed attempt; returns whether the chain of attempts is over. */
export function fail(patience: Patience, failure: string, parts: Parts): boolean {
  const { clock, pace, wrong } = parts
  if (patience.once) return true
  const otherKind = patience.failure !== undefined && patience.failure !== failure
  patience.tries += 1
  patience.failure = failure
  if (wrong('fire-and-forget') || (wrong('retries-one-kind-only') && otherKind)) {
    patience.notBefore = Number.POSITIVE_INFINITY
    return true
  }
  if (patience.tries < mostAttempts || wrong('retries-for-ever')) {
    patience.notBefore = clock.now() + pauseAfter(patience.tries, parts)
    return false
  }
  patience.tries = 0
  patience.rounds += 1
  delete patience.failure
  patience.notBefore = clock.now() + (wrong('no-cool-down') ? 0 : pace.reconcileMs)
  if (wrong('gives-up-after-four')) patience.notBefore = Number.POSITIVE_INFINITY
  return true
}
