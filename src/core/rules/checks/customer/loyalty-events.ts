/** Checks of the events of Loyalty: LOY-EVT. */
import type { Check, Assertion } from '../check.ts'
import { every, observation } from '../assertion.ts'
import { wordIn } from '../document-form.ts'
import type { Observed, Trace } from '../trace.ts'
import { entriesIn, ofCrm } from './assertions.ts'
import {
  accrual,
  behindNote,
  cancellation,
  appliedCoupons,
  couponsIn,
  observedOf,
  isAcceptedRedemption,
  redeeming,
  redemption,
} from './loyalty-movements.ts'
import {
  eventsAfter,
  isAboutMember,
  memberIds,
  pointsAt,
  readingAt,
  transactionCount,
} from './loyalty-views.ts'
import { ofLoyaltyLife } from './loyalty-life.ts'
import { eventSeq } from './records.ts'

/** A movement as readings show it, and the event that tells it. */
interface Movement {
  readonly eventType: string
  /** What readings show: "more points". */
  readonly what: string
  readonly isShown: boolean
  /** The reading that shows it, or not. */
  readonly reading: Observed
  /** The number of the exchange behind which its events come. */
  readonly after: number
  /** Ids of its account and customer. */
  readonly ids: readonly string[]
}

/** A movement is announced by an event and shown by readings, both or neither; an event may come after the reading. */
const agreement = (
  trace: Trace,
  { eventType, what, isShown, reading, after, ids }: Movement,
): Assertion =>
  function* () {
    if (wordIn(trace, 'receiveLoyaltyEvent', 'request', 'eventType', eventType) === undefined)
      return
    const events = eventsAfter(trace, [after], eventType).filter((each) => isAboutMember(each, ids))
    const wasEmitted = events.some((event) => eventSeq(event) < reading.exchange.seq)
    if (!isShown && !wasEmitted) return
    yield observation(
      [...observedOf(events).slice(0, 2), reading],
      events.length === 0
        ? `it shows ${what} and emits no ${eventType}`
        : isShown
          ? undefined
          : `it emits ${eventType} and does not show ${what}`,
    )
  }

const nothing: Assertion = () => []

const isLinked = behindNote(['loyalty-accrual', 'order-open'], (after, trace) => {
  const before = readingAt(trace, 'loyalty-accrual/before')
  const reading = readingAt(trace, 'loyalty-accrual/opening')
  const isNew = before !== undefined && entriesIn(before.reply).length === 0
  if (!reading || !isNew) return nothing
  return agreement(trace, {
    eventType: 'loyalty.account_linked',
    what: 'a new account',
    isShown: entriesIn(reading.reply).length > 0,
    reading,
    after,
    ids: memberIds(trace, reading),
  })
})

/** Points that a completed order has made available. */
const isAccrued = behindNote(['loyalty-accrual', 'order-completed'], (after, trace) => {
  const before = pointsAt(trace, 'loyalty-accrual/opened', 'pointsAvailable')
  const accrued = pointsAt(trace, 'loyalty-accrual/accrued', 'pointsAvailable')
  if (!before || !accrued) return nothing
  return agreement(trace, {
    eventType: 'loyalty.points_accrued',
    what: 'more points',
    isShown: accrued.points > before.points,
    reading: accrued.reading,
    after,
    ids: memberIds(trace, accrued.reading),
  })
})

const isPending = behindNote(['loyalty-accrual', 'order-open'], (after, trace) => {
  const before = pointsAt(trace, 'loyalty-accrual/before', 'pointsPending')?.points ?? 0
  const opened = pointsAt(trace, 'loyalty-accrual/opened', 'pointsPending')
  if (!opened) return nothing
  return agreement(trace, {
    eventType: 'loyalty.points_pending',
    what: 'more pending points',
    isShown: opened.points > before,
    reading: opened.reading,
    after,
    ids: memberIds(trace, opened.reading),
  })
})

const isExpired = behindNote(['loyalty-expiry', 'expired'], (_, trace) => {
  const granted = pointsAt(trace, 'loyalty-expiry/given', 'pointsAvailable')
  const expired = pointsAt(trace, 'loyalty-expiry/expired', 'pointsAvailable')
  const reading = readingAt(trace, 'loyalty-expiry/expired-transactions') ?? expired?.reading
  if (!granted || !expired || !reading) return nothing
  const [earlier = 0, count] = ['given', 'expired'].map((step) =>
    transactionCount(trace, `loyalty-expiry/${step}-transactions`, 'expire'),
  )
  return agreement(trace, {
    eventType: 'loyalty.points_expired',
    what: 'an expire transaction',
    isShown: count === undefined ? expired.points < granted.points : count > earlier,
    reading,
    after: granted.reading.exchange.seq,
    ids: memberIds(trace, expired.reading),
  })
})

const membersOf = (trace: Trace): readonly string[] =>
  memberIds(trace, readingAt(trace, 'loyalty-redemption/start'))

/** Behind an accepted redemption, points are burned. */
const isRedeemed = behindNote(redemption, (after, trace) => {
  const reading = readingAt(trace, 'loyalty-redemption/redeemed-transactions')
  if (!isAcceptedRedemption(trace) || !reading) return nothing
  const burns = (step: string): number =>
    transactionCount(trace, `loyalty-redemption/${step}`, 'burn') ?? 0
  const isShown = burns('redeemed-transactions') > burns('start-transactions')
  const ids = membersOf(trace)
  const movement = {
    eventType: 'loyalty.points_redeemed',
    what: 'a burn transaction',
    isShown,
    reading,
    after,
    ids,
  }
  const isEmitted = eventsAfter(trace, [after], 'loyalty.points_redeemed').some((event) =>
    isAboutMember(event, ids),
  )
  return isShown || isEmitted
    ? agreement(trace, movement)
    : () => [
        observation(
          [...trace.at('loyalty-redemption/redeem'), reading],
          'it accepts a redemption and neither burns points nor emits loyalty.points_redeemed',
        ),
      ]
})

const isReversed = behindNote(cancellation, (after, trace) => {
  const spent = pointsAt(trace, 'loyalty-redemption/all-accounts', 'pointsAvailable')
  const back = pointsAt(trace, 'loyalty-redemption/reversed', 'pointsAvailable')
  if (!isAcceptedRedemption(trace) || !spent || !back) return nothing
  return agreement(trace, {
    eventType: 'loyalty.redemption_reversed',
    what: 'the points as back',
    isShown: back.points > spent.points,
    reading: back.reading,
    after,
    ids: membersOf(trace),
  })
})

const isCouponApplied = behindNote(redemption, (after, trace) => {
  const reading = readingAt(trace, 'loyalty-redemption/redeemed-coupons')
  if (!reading) return nothing
  return agreement(trace, {
    eventType: 'loyalty.coupon_applied',
    what: 'a coupon as applied',
    isShown: appliedCoupons(trace) > 0,
    reading,
    after,
    ids: membersOf(trace),
  })
})

/** A coupon that is rolled back is cancelled, or available again: which, the documents leave open (LOY-UND-03). */
const isCouponCancelled = behindNote(cancellation, (after, trace) => {
  const reading = readingAt(trace, 'loyalty-redemption/reversed-coupons')
  if (!reading || appliedCoupons(trace) === 0) return nothing
  return agreement(trace, {
    eventType: 'loyalty.coupon_cancelled',
    what: 'a coupon as cancelled',
    isShown: couponsIn(reading, ['cancelled', 'available']) > 0,
    reading,
    after,
    ids: membersOf(trace),
  })
})

const eventRows = [
  ['LOY-EVT-01', 'loyalty.account_linked', accrual, isLinked],
  ['LOY-EVT-02', 'loyalty.points_accrued', accrual, isAccrued],
  ['LOY-EVT-03', 'loyalty.points_pending', accrual, isPending],
  ['LOY-EVT-04', 'loyalty.points_expired', ['loyalty-expiry'], isExpired],
  ['LOY-EVT-05', 'loyalty.points_redeemed', redeeming, isRedeemed],
  ['LOY-EVT-06', 'loyalty.redemption_reversed', redeeming, isReversed],
  ['LOY-EVT-07', 'loyalty.coupon_applied', redeeming, isCouponApplied],
  ['LOY-EVT-08', 'loyalty.coupon_cancelled', redeeming, isCouponCancelled],
] as const

export const loyaltyEventChecks: readonly Check[] = eventRows.map(
  ([clause, eventType, procedures, assertion]): Check => ({
    clauses: [clause],
    ...ofCrm,
    procedures,
    assertion: every(assertion, ofLoyaltyLife(clause)),
    remedy: `Emit ${eventType} whenever that happens, and show it in accounts, transactions and coupons.`,
  }),
)
