/** Checks of points and coupons that move, and of the events of it: LOY-EVT, LOY-EVR, LOY-RUL. */
import { defineChecks, type Look } from '../check.ts'
import { missingCall, setMember, wrongCall, wrongReply, type Defect } from '../defect.ts'
import { every, sighting, type Deviation } from '../look.ts'
import type { Observed, ObservedEvent, Trace } from '../trace.ts'
import { payloadOf } from './emitted.ts'
import { itemsIn } from './loyalty-host.ts'
import {
  accountsShown,
  eventsAfter,
  isAboutMember,
  memberIds,
  noteAt,
  pointsAt,
  readingAt,
  transactionCount,
} from './loyalty-views.ts'
import { crm } from './looks.ts'
import { containsText } from './records.ts'

const exchangesOf = (events: readonly ObservedEvent[]): readonly Observed[] =>
  events.map(({ observed }) => observed)

/** The service does not emit loyalty events of this type. */
const missingEvent = (eventType: string): Defect =>
  missingCall(
    `does not emit ${eventType}`,
    async (request) =>
      request.method === 'POST' &&
      (await request.clone().text()).includes(`"eventType":"${eventType}"`),
    204,
  )

/** What is seen of a movement, in its events and in readings: both or neither. */
function agreement(
  events: readonly ObservedEvent[],
  isShown: boolean,
  readings: readonly (Observed | undefined)[],
  [eventType, what]: readonly [eventType: string, what: string],
): Look {
  return function* look() {
    if (events.length === 0 && !isShown) return
    const problem: Deviation =
      events.length === 0
        ? `it shows ${what} and emits no ${eventType}`
        : isShown
          ? undefined
          : `it emits ${eventType} and does not show ${what}`
    yield sighting(
      [...exchangesOf(events).slice(0, 2), ...readings.flatMap((each) => each ?? [])],
      problem,
    )
  }
}

/** A look that needs the number of a note. */
const behindNote = (
  [procedure, name]: readonly [procedure: string, name: string],
  look: (after: number, trace: Trace) => Look,
): Look =>
  function* whole(trace) {
    const after = noteAt(trace, procedure, name)
    if (after !== undefined) yield* look(after, trace)(trace)
  }

const isLinked = behindNote(['loyalty-accrual', 'order-open'], (after, trace) => {
  const before = readingAt(trace, 'loyalty-accrual/before')
  const opened = readingAt(trace, 'loyalty-accrual/opening')
  const wasThere = before === undefined || itemsIn(before.reply).length > 0
  const isNew = !wasThere && itemsIn(opened?.reply).length > 0
  const events = eventsAfter(trace, [after], 'loyalty.account_linked')
  return isNew
    ? agreement(
        events.filter((event) => isAboutMember(event, memberIds(opened))),
        true,
        [opened],
        ['loyalty.account_linked', 'a new account'],
      )
    : () => []
})

/** Points that a completed order has made available. */
const isAccrued = behindNote(['loyalty-accrual', 'order-completed'], (after, trace) => {
  const before = pointsAt(trace, 'loyalty-accrual/opened', 'pointsAvailable')
  const accrued = pointsAt(trace, 'loyalty-accrual/accrued', 'pointsAvailable')
  if (!before || !accrued) return () => []
  const events = eventsAfter(trace, [after, accrued.reading.exchange.seq], 'loyalty.points_accrued')
  return agreement(
    events.filter((event) => isAboutMember(event, memberIds(accrued.reading))),
    accrued.points > before.points,
    [before.reading, accrued.reading],
    ['loyalty.points_accrued', 'more points'],
  )
})

const isPending = behindNote(['loyalty-accrual', 'order-open'], (after, trace) => {
  const opened = pointsAt(trace, 'loyalty-accrual/opened', 'pointsPending')
  if (!opened) return () => []
  const events = eventsAfter(trace, [after, opened.reading.exchange.seq], 'loyalty.points_pending')
  return agreement(
    events.filter((event) => isAboutMember(event, memberIds(opened.reading))),
    opened.points > 0,
    [opened.reading],
    ['loyalty.points_pending', 'pending points'],
  )
})

const isExpired = behindNote(['loyalty-expiry', 'expired'], (_, trace) => {
  const given = readingAt(trace, 'loyalty-expiry/given')
  const expired = readingAt(trace, 'loyalty-expiry/expired')
  const count = transactionCount(trace, 'loyalty-expiry/expired-transactions', 'expire')
  const events = eventsAfter(trace, [given?.exchange.seq ?? 0], 'loyalty.points_expired')
  return agreement(
    events,
    count === undefined || count > 0,
    [expired, readingAt(trace, 'loyalty-expiry/expired-transactions')],
    ['loyalty.points_expired', 'an expire transaction'],
  )
})

const redemption = ['loyalty-redemption', 'redeemed-order'] as const

const isAcceptedRedemption = (trace: Trace): boolean =>
  trace.at('loyalty-redemption/redeem').some(({ status }) => status === 202)

const isRedeemed = behindNote(redemption, (after, trace) => {
  if (!isAcceptedRedemption(trace)) return () => []
  const burns = (step: string): number | undefined =>
    transactionCount(trace, `loyalty-redemption/${step}`, 'burn')
  const [start, end] = [burns('start-transactions'), burns('redeemed-transactions')]
  const until = readingAt(trace, 'loyalty-redemption/redeemed')?.exchange.seq
  const events = eventsAfter(trace, [after, until], 'loyalty.points_redeemed')
  const isShown = start === undefined || end === undefined ? events.length > 0 : end > start
  const reading = readingAt(trace, 'loyalty-redemption/redeemed-transactions')
  if (events.length === 0 && !isShown)
    return () => [
      sighting(
        [...trace.at('loyalty-redemption/redeem'), ...(reading ? [reading] : [])],
        'it accepts a redemption and neither burns points nor emits loyalty.points_redeemed',
      ),
    ]
  return agreement(events, isShown, [reading], ['loyalty.points_redeemed', 'a burn transaction'])
})

const cancellation = ['loyalty-redemption', 'cancelled-order'] as const

const isReversed = behindNote(cancellation, (after, trace) => {
  if (!isAcceptedRedemption(trace)) return () => []
  const spent = pointsAt(trace, 'loyalty-redemption/all-accounts', 'pointsAvailable')
  const back = pointsAt(trace, 'loyalty-redemption/reversed', 'pointsAvailable')
  if (!spent || !back) return () => []
  return agreement(
    eventsAfter(trace, [after], 'loyalty.redemption_reversed'),
    back.points > spent.points,
    [spent.reading, back.reading],
    ['loyalty.redemption_reversed', 'the points as back'],
  )
})

const couponsIn = (reading: Observed | undefined, statuses: readonly string[]): number =>
  itemsIn(reading?.reply).filter(({ status }) => statuses.includes(String(status))).length

const isCouponApplied = behindNote(redemption, (after, trace) => {
  const reading = readingAt(trace, 'loyalty-redemption/redeemed-coupons')
  if (!reading) return () => []
  return agreement(
    eventsAfter(trace, [after, reading.exchange.seq], 'loyalty.coupon_applied'),
    couponsIn(reading, ['applied', 'used']) > 0,
    [reading],
    ['loyalty.coupon_applied', 'a coupon as applied'],
  )
})

/** A coupon that is rolled back is cancelled, or available again: which, the documents leave open (LOY-UND-03). */
const isCouponCancelled = behindNote(cancellation, (after, trace) => {
  const reading = readingAt(trace, 'loyalty-redemption/reversed-coupons')
  const wasApplied =
    couponsIn(readingAt(trace, 'loyalty-redemption/redeemed-coupons'), ['applied', 'used']) > 0
  if (!reading) return () => []
  const events = eventsAfter(trace, [after], 'loyalty.coupon_cancelled')
  const isBack = couponsIn(reading, ['cancelled', 'available']) > 0
  return agreement(
    events,
    isBack && (wasApplied || events.length > 0),
    [reading],
    ['loyalty.coupon_cancelled', 'a coupon as cancelled'],
  )
})

/** Points of an open order are pending: an accrual that names it, or nothing but its customer, comes too early. */
const noEarlyAccrual = behindNote(['loyalty-accrual', 'order-open'], (after, trace) => {
  const until = noteAt(trace, 'loyalty-accrual', 'order-completed')
  const orderId = trace.notes('order-open').find((each) => each.after === after)?.text ?? ''
  const ids = memberIds(readingAt(trace, 'loyalty-accrual/opened'))
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
      return sighting(
        [event.observed],
        isEarly ? 'it emits loyalty.points_accrued of an order that is open' : undefined,
      )
    })
})

/** A cancelled order gives points and coupons back, and tells it. */
const isRolledBack = behindNote(cancellation, (after, trace) => {
  if (!isAcceptedRedemption(trace)) return () => []
  const start = pointsAt(trace, 'loyalty-redemption/start', 'pointsAvailable')
  const back = pointsAt(trace, 'loyalty-redemption/reversed', 'pointsAvailable')
  const applied = couponsIn(readingAt(trace, 'loyalty-redemption/redeemed-coupons'), [
    'applied',
    'used',
  ])
  const kept = couponsIn(readingAt(trace, 'loyalty-redemption/reversed-coupons'), [
    'applied',
    'used',
  ])
  const due = ['loyalty.redemption_reversed', ...(applied > 0 ? ['loyalty.coupon_cancelled'] : [])]
  const missing = due.find((type) => eventsAfter(trace, [after], type).length === 0)
  const readings = [start, back].flatMap((each) => each?.reading ?? [])
  return () => [
    sighting(
      [...exchangesOf(eventsAfter(trace, [after], ...due)).slice(0, 3), ...readings],
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

/** Each change between two readings of an account is told by an event, which may come later. */
const changesAreTold: Look = function* look(trace) {
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
      const [was, is] = [reading, next].map((each) =>
        itemsIn(each?.reply).map(({ summary }) => summary),
      )
      const [before, after] = [was, is].map((each) => numberIn(each?.[0]))
      if (!next || before === undefined || after === undefined || before === after) continue
      const direction = after > before ? 'more' : 'less'
      const events = eventsAfter(trace, [reading.exchange.seq, end], ...explains[direction])
      yield sighting(
        [reading, ...exchangesOf(events).slice(0, 1), next],
        events.length > 0
          ? undefined
          : `its account goes from ${before} to ${after} points, and no event tells it`,
      )
    }
  }
}

const numberIn = (summary: unknown): number | undefined => {
  const points: unknown =
    typeof summary === 'object' && summary !== null
      ? Reflect.get(summary, 'pointsAvailable')
      : undefined
  return typeof points === 'number' ? points : undefined
}

/** No balance is below zero, and what the balance does not cover burns nothing. */
const balanceHolds: Look = every(
  function* look(trace) {
    for (const { observed, record } of accountsShown(trace)) {
      const points = numberIn(record['summary'])
      if (points !== undefined)
        yield sighting([observed], points < 0 ? `it shows ${points} available points` : undefined)
    }
  },
  function* look(trace) {
    const [over] = trace.at('loyalty-redemption/over')
    const burns = (step: string): number | undefined =>
      transactionCount(trace, `loyalty-redemption/${step}`, 'burn')
    const [before, after] = [burns('redeemed-transactions'), burns('over-transactions')]
    if (over && before !== undefined && after !== undefined)
      yield sighting(
        [over],
        after > before ? 'it burns points for a redemption above the balance' : undefined,
      )
  },
)

const accrual = ['loyalty-accrual']
const redeeming = ['loyalty-redemption']

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

export const loyaltyMovementChecks = defineChecks([
  ...eventRows.map(([clause, eventType, procedures, look]) => ({
    clauses: [clause] as const,
    roles: crm,
    needs: ['customer'] as const,
    procedures,
    look,
    remedy: `Emit ${eventType} whenever that happens, and show it in accounts, transactions and coupons.`,
    defect: missingEvent(eventType),
  })),
  {
    clauses: ['LOY-EVR-01'],
    roles: crm,
    needs: ['customer'],
    procedures: accrual,
    look: noEarlyAccrual,
    remedy: 'Emit points_pending while the order is open, and points_accrued after its completion.',
    defect: wrongCall('accrues points of open orders', 'receiveLoyaltyEvent', (call) => {
      call.text = JSON.stringify(call.body).replace('points_pending', 'points_accrued')
    }),
  },
  {
    clauses: ['LOY-EVR-02'],
    roles: crm,
    needs: ['customer'],
    procedures: redeeming,
    look: isRolledBack,
    remedy:
      'Roll points and coupons of a cancelled order back, and emit redemption_reversed and coupon_cancelled.',
    defect: missingEvent('loyalty.redemption_reversed'),
  },
  {
    clauses: ['LOY-EVR-03'],
    roles: crm,
    needs: ['customer'],
    procedures: [...accrual, ...redeeming],
    look: changesAreTold,
    remedy: 'Emit an event on every movement of points.',
    defect: missingEvent('loyalty.points_redeemed'),
  },
  {
    clauses: ['LOY-RUL-01'],
    roles: crm,
    needs: ['customer'],
    procedures: redeeming,
    look: balanceHolds,
    remedy: 'Check and reserve the balance in one step, and refuse what it does not cover.',
    defect: wrongReply('lets the balance go below zero', 'listCustomerLoyaltyAccounts', (reply) => {
      for (const { summary } of itemsIn(reply.body)) {
        const points = numberIn(summary)
        if (points !== undefined && points < 100)
          setMember(summary, ['pointsAvailable'], points - 880)
      }
    }),
  },
])
