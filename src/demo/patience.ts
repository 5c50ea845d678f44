/**
 * How often something has been tried, and when it may be tried next: 1, 2 and 4 seconds after a failure, with jitter, and
 * after four attempts not before a cool-down is over. It belongs to one operation on one thing and outlives any single
 * chain of attempts, so whatever sets off the next chain cannot hurry it.
 */
import type { Clock } from './clock.ts'
import type { Wrong } from './defects.ts'
import { mostAttempts, type Pace } from './pace.ts'

export interface Patience {
  tries: number
  /** How often it has cooled down. */
  rounds: number
  notBefore: number
  /** What the last failure was. */
  failure?: string
  /** There is no second attempt. */
  readonly once?: true
}

export const freshPatience = (): Patience => ({ tries: 0, rounds: 0, notBefore: 0 })

/** For what is tried once, and comes again by itself. */
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

/** A pause that is a fifth shorter or longer, so that many chains that failed together do not come back together. */
export const jittered = (ms: number, clock: Clock): number =>
  Math.round(ms * (0.8 + 0.4 * clock.random()))

function pauseAfter(tries: number, { clock, pace, wrong }: Parts): number {
  if (wrong('retries-without-pause')) return 0
  const doubled = wrong('retries-at-fixed-pace') ? 1 : 2 ** Math.min(tries - 1, mostAttempts - 2)
  const pause = pace.retryMs * doubled
  return wrong('retries-in-step') ? pause : jittered(pause, clock)
}

/** Another attempt has failed. Answers whether the chain is at its end. */
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
