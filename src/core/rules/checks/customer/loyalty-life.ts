/** What the traffic of a session says of loyalty accounts, of the orders that move them, and of coupons. */
import { pullOperations, pushOperations } from '../../../engine/customer/partner.ts'
import { setBounded } from '../../../engine/bounded.ts'
import { bodyValue, isAcceptedCall, momentsOf, notice } from '../assertion.ts'
import type { ClauseMoment } from '../check.ts'
import { EventArrivals, isSettled } from '../status-life.ts'
import {
  emittedEvents,
  endOfCall,
  type Observed,
  type ObservedEvent,
  startOf,
  type Trace,
} from '../trace.ts'
import { isLoyalty, recordsIn, recordsSent } from './records.ts'
import {
  AccountLife,
  accrued,
  applied,
  maxEvents,
  orderNamed,
  settleMs,
  type LoyaltyDoubt,
  textIn,
} from './loyalty-account.ts'
import { accountsIn } from './loyalty-views.ts'

const maxKept = 500

/** What is known of an order that the service knows of, by the instants at which the messages began. */
interface OrderFacts {
  isOpen: boolean
  /** Of the first message by which it is no longer open. */
  closedFrom: number
}

const orderPushes: ReadonlySet<unknown> = new Set(Object.values(pushOperations.order))
const orderPulls: ReadonlySet<unknown> = new Set(Object.values(pullOperations.order))

/** The statuses of orders that a message reports to the service. */
function ordersReported(observed: Observed): readonly (readonly [id: string, status: string])[] {
  const { isCall, operation, request, reply } = observed
  const records =
    !isCall && orderPushes.has(operation)
      ? recordsSent(request, 'order')
      : isCall && orderPulls.has(operation)
        ? recordsIn(reply, 'order')
        : []
  const pushed = records.flatMap(({ id, status }) =>
    typeof id === 'string' && typeof status === 'string' ? [[id, status] as const] : [],
  )
  if (isCall || operation?.startsWith('receiveCustomer') !== true) return pushed
  const event = bodyValue(request, '/event') ?? request
  const type = bodyValue(event, '/eventType')
  const id = bodyValue(event, '/payload/orderId')
  const status = { 'order.created': 'CREATED', 'order.canceled': 'CANCELLED' }[String(type)]
  return typeof id === 'string' && String(type).startsWith('order.')
    ? [[id, status ?? 'DELIVERED']]
    : []
}

const stillOpen: ReadonlySet<string> = new Set(['CREATED', 'CONFIRMED'])

class LoyaltyLife {
  readonly #accounts = new Map<string, AccountLife>()
  readonly #orders = new Map<string, OrderFacts>()
  readonly #coupons = new Map<string, { orderId: string; observed: Observed }>()
  /** Our events about orders by their ids, and those that came again by their orders. */
  readonly #reported = new Map<string, Observed>()
  readonly #again = new Map<string, { first: Observed; observed: Observed }>()
  /** The first event by which an order has earned points. */
  readonly #earned = new Map<string, ObservedEvent>()
  #early: LoyaltyDoubt[] = []
  readonly #channel = new EventArrivals()

  #account(id: unknown): AccountLife | undefined {
    if (typeof id !== 'string') return undefined
    const account = this.#accounts.get(id) ?? new AccountLife(id)
    setBounded(this.#accounts, id, account, maxKept)
    return account
  }

  take(observed: Observed, trace: Trace): readonly ClauseMoment[] {
    return [...this.#momentsOf(observed, trace)]
  }

  *#momentsOf(observed: Observed, trace: Trace): Iterable<ClauseMoment> {
    if (trace.role !== 'crm') return
    const { exchange, isCall, operation, status } = observed
    const isCertain = exchange.fault === undefined && status !== 0
    const about = new Set<AccountLife>()
    const events = emittedEvents([observed])
    this.#channel.take(observed, true)
    if (isCall) for (const event of events.filter(isLoyalty)) yield* this.#hear(event, about)
    if (!isCall && isCertain && operation?.startsWith('receiveCustomer') === true)
      if (isAcceptedCall(observed)) this.#tellAgain(observed)
    for (const [id, orderStatus] of ordersReported(observed))
      this.#tellOrder(observed, { id, status: orderStatus, isCertain })
    if (!isCall && operation === 'createLoyaltyRedemption') this.#redeem(observed, isCertain, about)
    if (isCertain)
      for (const record of accountsIn(observed)) {
        const account = this.#account(record['id'] ?? record['accountId'])
        if (!account) continue
        about.add(account)
        yield* account.show(observed, record)
      }
    if (!isCall && isCertain && operation === 'listLoyaltyTransactions' && status === 200) {
      const account = this.#account(exchange.params?.['accountId'])
      if (account) about.add(account.list(observed))
    }
    for (const account of events.some(isLoyalty) ? this.#accounts.values() : about)
      yield* this.#settle(account, observed)
    yield* this.#settleEarly(observed)
  }

  *#hear(event: ObservedEvent, about: Set<AccountLife>): Iterable<ClauseMoment> {
    this.#account(textIn(event, 'accountId'))
    for (const account of this.#accounts.values())
      if (account.isAbout(event)) {
        about.add(account)
        account.hear(event)
      }
    const { eventType, observed } = event
    const orderId = orderNamed(event)
    if (eventType === accrued && orderId !== undefined) {
      this.#accrue(observed, orderId)
      yield* this.#accrueOnce(event, orderId)
    }
    const code = textIn(event, 'couponCode', 'code', 'couponId')
    if (code === undefined) return
    if (eventType === 'loyalty.coupon_cancelled') this.#coupons.delete(code)
    if (eventType !== applied || orderId === undefined) return
    const use = this.#coupons.get(code)
    const isFree =
      use === undefined ||
      use.orderId === orderId ||
      (this.#orders.get(use.orderId)?.closedFrom ?? Infinity) < endOfCall(observed)
    yield {
      clause: 'LOY-EVT-07',
      exchanges: use ? [use.observed, observed] : [observed],
      problem: isFree ? undefined : notice('it applies one coupon to two orders'),
    }
    setBounded(this.#coupons, code, { orderId, observed }, maxKept)
  }

  /** Remembers an event of ours about an order, and one that came again. */
  #tellAgain(observed: Observed): void {
    const event = bodyValue(observed.request, '/event') ?? observed.request
    const id = bodyValue(event, '/eventId') ?? bodyValue(event, '/id')
    const orderId = bodyValue(event, '/payload/orderId')
    if (typeof id !== 'string' || typeof orderId !== 'string') return
    const first = this.#reported.get(id)
    if (first && endOfCall(first) <= startOf(observed))
      setBounded(this.#again, orderId, { first, observed }, maxKept)
    else setBounded(this.#reported, id, observed, maxKept)
  }

  /** An event that comes again has no second effect: the same points of its order under another id. */
  *#accrueOnce(event: ObservedEvent, orderId: string): Iterable<ClauseMoment> {
    const points = ['/payload/points', '/payload/amount', '/points']
      .map((pointer) => bodyValue(event.event, pointer))
      .find((each) => typeof each === 'number')
    const key = `${orderId} ${String(points)}`
    const earned = this.#earned.get(key)
    if (!earned) setBounded(this.#earned, key, event, maxKept)
    const again = this.#again.get(orderId)
    if (!again) return
    const { observed } = event
    const isSecond =
      earned !== undefined &&
      points !== undefined &&
      event.eventId !== earned.eventId &&
      endOfCall(earned.observed) <= startOf(again.observed) &&
      startOf(observed) >= startOf(again.observed)
    if (isSecond)
      yield {
        clause: 'CUS-EVT-02',
        exchanges: [again.first, earned.observed, again.observed, observed],
        problem: 'an event that came again has earned the points of its order again',
      }
  }

  /** Points of an order that is open are pending. */
  #accrue(observed: Observed, orderId: string): void {
    const order = this.#orders.get(orderId)
    if (!order?.isOpen || order.closedFrom <= endOfCall(observed)) return
    this.#early.push({
      clause: 'LOY-EVR-01',
      exchanges: [observed],
      problem: `it emits ${accrued} of an order that is open`,
      since: observed,
      types: [],
      isExplained: () => order.closedFrom <= endOfCall(observed),
    })
    if (this.#early.length > maxEvents) this.#early.shift()
  }

  #tellOrder(
    observed: Observed,
    { id, status, isCertain }: { id: string; status: string; isCertain: boolean },
  ): void {
    const order = this.#orders.get(id) ?? { isOpen: false, closedFrom: Infinity }
    setBounded(this.#orders, id, order, maxKept)
    if (stillOpen.has(status)) {
      order.isOpen = true
      return
    }
    order.closedFrom = Math.min(order.closedFrom, startOf(observed))
    for (const account of this.#accounts.values())
      if (status !== 'CANCELLED') account.cause('more', observed, id)
      else if (isCertain && (observed.isCall || isAcceptedCall(observed)))
        account.cancel(observed, id)
  }

  #redeem(observed: Observed, isCertain: boolean, about: Set<AccountLife>): void {
    const { request, status } = observed
    const named = bodyValue(request, '/accountId')
    const [customerId, programId] = ['customerId', 'programId'].map((name) =>
      bodyValue(request, `/${name}`),
    )
    const account =
      this.#account(named) ??
      [...this.#accounts.values()].find(
        (each) => each.customerId === customerId && each.programId === programId,
      )
    if (!account) return
    about.add(account)
    const orderId = bodyValue(request, '/relatedOrderId') ?? bodyValue(request, '/orderId')
    if (isCertain && isAcceptedCall(observed))
      account.redeem(observed, typeof orderId === 'string' ? orderId : undefined)
    else if (!isCertain || status >= 500) account.forget()
  }

  *#settle(account: AccountLife, observed: Observed): Iterable<ClauseMoment> {
    const over = account.doubts.filter(({ since }) => isSettled(since, observed, settleMs))
    if (over.length === 0) return
    account.doubts = account.doubts.filter((each) => !over.includes(each))
    for (const { clause, exchanges, problem, since, isAbsence } of over) {
      const [first] = exchanges
      if (first === undefined || this.#channel.mayLack(first)) continue
      if (isAbsence !== true || this.#channel.isSound(since)) yield { clause, exchanges, problem }
    }
  }

  *#settleEarly(observed: Observed): Iterable<ClauseMoment> {
    const over = this.#early.filter(({ since }) => isSettled(since, observed, settleMs))
    if (over.length === 0) return
    this.#early = this.#early.filter((each) => !over.includes(each))
    for (const { clause, exchanges, problem, isExplained } of over)
      if (isExplained?.() !== true) yield { clause, exchanges, problem }
  }
}

/** What the traffic says of a clause about loyalty accounts. */
export const ofLoyaltyLife = momentsOf({ begin: () => new LoyaltyLife() })
