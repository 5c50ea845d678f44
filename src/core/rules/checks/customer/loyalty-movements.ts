/** Checks of points and coupons that move, and of the events of it: LOY-EVT, LOY-EVR, LOY-RUL. */
import { type Assertion, defineChecks } from '../check.ts'
import { every, observation } from '../assertion.ts'
import { perMessage } from '../live.ts'
import { payloadOf, containsText, notesOf } from './records.ts'
import {
  accountAt,
  accountsShown,
  eventsAfter,
  isAboutMember,
  memberIds,
  noteAt,
  pointsAt,
  pointsOf,
  readingAt,
  transactionCount,
} from './loyalty-views.ts'
import { ofLoyaltyLife } from './loyalty-life.ts'
import { ofCrm, entriesIn } from './assertions.ts'
import type { Observed, ObservedEvent, Trace } from '../trace.ts'

export const observedOf = (events: readonly ObservedEvent[]): readonly Observed[] =>
  events.map(({ observed }) => observed)

/** An assertion about what comes after a note of a Loyalty procedure. */
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

/** Points of an open order are pending: an accrual that names it, or nothing but its customer, comes too early. */
const noEarlyAccrual = behindNote(['loyalty-accrual', 'order-open'], (after, trace) => {
  const until = noteAt(trace, 'loyalty-accrual', 'order-completed')
  const orderId = notesOf(trace, ['loyalty-accrual'], 'order-open')[0]?.text ?? ''
  const ids = memberIds(trace, readingAt(trace, 'loyalty-accrual/opened'))
  const events = eventsAfter(
    trace,
    [after, until],
    'loyalty.points_pending',
    'loyalty.points_accrued',
  ).filter((event) => isAboutMember(event, ids))
  return () =>
    events.map((event) => {
      const { orderId: own, relatedOrderId: related = own } = payloadOf(event)
      const isOfOrder = related === undefined || containsText(event.event, orderId)
      const isEarly = event.eventType === 'loyalty.points_accrued' && isOfOrder
      return observation(
        [event.observed],
        isEarly && 'it emits loyalty.points_accrued of an order that is open',
      )
    })
})

/** A cancelled order gives points and coupons back, and tells it. */
const isRolledBack = behindNote(cancellation, (after, trace) => {
  if (!isAcceptedRedemption(trace)) return () => []
  const start = pointsAt(trace, 'loyalty-redemption/start', 'pointsAvailable')
  const back = pointsAt(trace, 'loyalty-redemption/reversed', 'pointsAvailable')
  const [applied, kept] = [appliedCoupons(trace), appliedCoupons(trace, 'reversed-coupons')]
  const due = ['loyalty.redemption_reversed', ...(applied > 0 ? ['loyalty.coupon_cancelled'] : [])]
  const missing = due.find((type) => eventsAfter(trace, [after], type).length === 0)
  const readings = [start, back].flatMap((each) => each?.reading ?? [])
  return () => [
    observation(
      [...observedOf(eventsAfter(trace, [after], ...due)).slice(0, 3), ...readings],
      missing === undefined
        ? start && back && back.points < start.points
          ? `after the cancellation ${back.points} of ${start.points} points are available`
          : kept > 0
            ? 'a coupon of a cancelled order is still applied'
            : undefined
        : `it emits no ${missing} when the order of a redemption is cancelled`,
    ),
  ]
})

const explains = {
  more: ['loyalty.points_accrued', 'loyalty.redemption_reversed'],
  less: ['loyalty.points_redeemed', 'loyalty.points_expired', 'loyalty.points_accrued'],
} as const

/**
 * Each change between two readings of an account is announced by an event, which may come later; not one that was asked for by
 * hand, for which the documents have no event (LOY-REC-03).
 */
const changesAreEmitted: Assertion = function* (trace) {
  const procedures = ['loyalty-accrual', 'loyalty-redemption', 'loyalty-expiry']
  for (const procedure of procedures) {
    const readings = trace
      .at(procedure)
      .filter(
        ({ operation, status }) => operation === 'listCustomerLoyaltyAccounts' && status === 200,
      )
    const end = trace.at(procedure).at(-1)?.exchange.seq
    for (const [index, reading] of readings.entries()) {
      const next = readings[index + 1]
      const [before, after] = [reading, next].map((each) => pointsOf(accountAt(trace, each) ?? {}))
      if (!next || next.step?.endsWith('/given') === true) continue
      if (before === undefined || after === undefined || before === after) continue
      const direction = after > before ? 'more' : 'less'
      const events = eventsAfter(trace, [reading.exchange.seq, end], ...explains[direction])
      yield observation(
        [reading, ...observedOf(events).slice(0, 1), next],
        events.length === 0 &&
          `its account goes from ${before} to ${after} points, and no event tells it`,
      )
    }
  }
}

/** No balance is below zero, and what the balance does not cover burns nothing. */
const balanceHolds: Assertion = every(
  perMessage(function* (trace) {
    for (const { observed, record } of accountsShown(trace)) {
      const points = pointsOf(record)
      if (points !== undefined)
        yield observation([observed], points < 0 && `it shows ${points} available points`)
    }
  }),
  function* (trace) {
    const [over] = trace.at('loyalty-redemption/over')
    const burns = (step: string): number | undefined =>
      transactionCount(trace, `loyalty-redemption/${step}`, 'burn')
    const [before, after] = [burns('redeemed-transactions'), burns('over-transactions')]
    if (over && before !== undefined && after !== undefined)
      yield observation(
        [over],
        after > before && 'it burns points for a redemption above the balance',
      )
  },
)

export const loyaltyMovementChecks = defineChecks(
  { ...ofCrm, procedures: redeeming },
  {
    'LOY-EVR-01': {
      procedures: accrual,
      assertion: every(noEarlyAccrual, ofLoyaltyLife('LOY-EVR-01')),
      remedy:
        'Emit points_pending while the order is open, and points_accrued after its completion.',
    },
    'LOY-EVR-02': {
      assertion: every(isRolledBack, ofLoyaltyLife('LOY-EVR-02')),
      remedy:
        'Roll points and coupons of a cancelled order back, and emit redemption_reversed and coupon_cancelled.',
    },
    'LOY-EVR-03': {
      procedures: [...accrual, ...redeeming],
      assertion: every(changesAreEmitted, ofLoyaltyLife('LOY-EVR-03')),
      remedy: 'Emit an event on every movement of points.',
    },
    'LOY-RUL-01': {
      assertion: balanceHolds,
      remedy: 'Check and reserve the balance in one step, and refuse what it does not cover.',
    },
  },
)
