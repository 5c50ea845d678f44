/**
 * Retry state of one operation on one entity: backoff of 1, 2 and 4 seconds with jitter, then a cool-down after four
 * attempts. It outlives a chain of attempts, so that a new trigger cannot skip the backoff.
 */
import type { Clock } from './clock.ts'
import type { DefectSwitch } from './defects.ts'
import type { Pace } from './pace.ts'

export interface RetryState {
  attempts: number
  /** Number of cool-downs so far. */
  coolDowns: number
  notBefore: number
  /** Kind of the last failure. */
  failure?: string
  /** No retry. */
  readonly singleAttempt?: true
}

export const createRetryState = (): RetryState => ({ attempts: 0, coolDowns: 0, notBefore: 0 })

/** For calls that are not retried because they recur anyway. */
export const createSingleAttempt = (): RetryState => ({
  ...createRetryState(),
  singleAttempt: true,
})

export function resetRetries(retry: RetryState): void {
  retry.attempts = 0
  retry.notBefore = 0
  delete retry.failure
}

interface Parts {
  readonly clock: Clock
  readonly pace: Pace
  readonly wrong: DefectSwitch
}

/** Jitter of 20 % either way, so that chains that failed together do not retry together. */
export const jittered = (ms: number, clock: Clock): number =>
  Math.round(ms * (0.8 + 0.4 * clock.random()))

/** How often the pause doubles at most. */
const maxDoublings = 2

function pauseAfter(tries: number, { clock, pace, wrong }: Parts): number {
  if (wrong('retries-without-pause')) return 0
  const isFixed = wrong('retries-at-fixed-pace') || wrong('retries-for-ever')
  const doubled = isFixed ? 1 : 2 ** Math.min(tries - 1, maxDoublings)
  const pause = pace.retryMs * doubled
  return wrong('retries-in-step') ? pause : jittered(pause, clock)
}

/** Records a failed attempt; returns whether the chain of attempts is over. */
export function recordFailure(retry: RetryState, failure: string, parts: Parts): boolean {
  const { clock, pace, wrong } = parts
  if (retry.singleAttempt) return true
  const otherKind = retry.failure !== undefined && retry.failure !== failure
  retry.attempts += 1
  retry.failure = failure
  if (wrong('fire-and-forget') || (wrong('retries-one-kind-only') && otherKind)) {
    retry.notBefore = Number.POSITIVE_INFINITY
    return true
  }
  if (retry.attempts < pace.attempts || wrong('retries-for-ever')) {
    retry.notBefore = clock.now() + pauseAfter(retry.attempts, parts)
    return false
  }
  retry.attempts = 0
  retry.coolDowns += 1
  delete retry.failure
  retry.notBefore = clock.now() + (wrong('no-cool-down') ? 0 : pace.reconcileMs)
  if (wrong('gives-up-after-four')) retry.notBefore = Number.POSITIVE_INFINITY
  return true
}
