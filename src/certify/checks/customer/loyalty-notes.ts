/** The notes of the Loyalty procedures, and what is observed after them. */
import type { Assertion } from '../../judge/check.ts'
import type { Observed, ObservedEvent, Trace } from '../../judge/trace.ts'
import { entriesIn } from './loyalty-host.ts'
import { noteAt, readingAt } from './loyalty-views.ts'

export const observedOf = (events: readonly ObservedEvent[]): readonly Observed[] =>
  events.map(({ observed }) => observed)

/** An assertion that needs the number of a note. */
export const behindNote = (
  [procedure, name]: readonly [procedure: string, name: string],
  assertion: (after: number, trace: Trace) => Assertion,
): Assertion =>
  function* whole(trace) {
    const after = noteAt(trace, procedure, name)
    if (after !== undefined) yield* assertion(after, trace)(trace)
  }

export const redemption = ['loyalty-redemption', 'redeemed-order'] as const

export const isAcceptedRedemption = (trace: Trace): boolean =>
  trace.at('loyalty-redemption/redeem').some(({ status }) => status === 202)

export const cancellation = ['loyalty-redemption', 'cancelled-order'] as const

export const couponsIn = (reading: Observed | undefined, statuses: readonly string[]): number =>
  entriesIn(reading?.reply).filter(({ status }) => statuses.includes(String(status))).length

/** Coupons that are applied at a step of the redemption, and were not at its beginning. */
export function appliedCoupons(trace: Trace, step = 'redeemed-coupons'): number {
  const [before, after] = ['start-coupons', step].map((each) =>
    couponsIn(readingAt(trace, `loyalty-redemption/${each}`), ['applied', 'used']),
  )
  return (after ?? 0) - (before ?? 0)
}

export const accrual = ['loyalty-accrual']
export const redeeming = ['loyalty-redemption']
