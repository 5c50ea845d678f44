/** The host's part of the tracker state, from facts: orders, events and webhooks in flight. */
import { setBounded } from '../../engine/bounded.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Instant } from '../../engine/instant.ts'
import type { World } from '../../engine/world.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import { arrive, type Arrivals, sendOff } from './webhooks-in-flight.ts'
import { createKnown, createShown } from './status-history.ts'
import { Emission } from './emitted-event.ts'
import { createEvents } from './events.ts'
import { createGenerations, type Remembered } from './generational-map.ts'
import type { Keeps } from './fact-handlers.ts'
import { blankNotes } from './per-order-state.ts'
import { isOver, projected } from './progress.ts'
import { beginWait, endWait } from './waiting.ts'
import type { EventWatch, OrderWatch, Watch } from './tracker-state.ts'

/**
 * Maximum number of open orders, and minimum number of finished ones before eviction; memory holds at most twice as
 * many.
 */
const maxOrders = 20_000
const minFinished = 2000

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

export interface Ledger {
  readonly orders: Remembered<OrderWatch>
  readonly events: Remembered<EventWatch>
  readonly hasForgotten: () => boolean
  readonly arrivals: Arrivals
  readonly facts: Keeps
}

const none: readonly never[] = []

export function createLedger(
  world: World,
  { subject, merchants }: Pick<Watch, 'subject' | 'merchants'>,
): Ledger {
  const open = new Map<string, OrderWatch>()
  const finished = createGenerations<OrderWatch>(maxOrders)
  const arrivals: Arrivals = new Map()
  /** Cache of one entry: one call produces several facts and an observation about the same order. */
  let lastLookup: OrderWatch | undefined
  const orders: Remembered<OrderWatch> = {
    get(orderId) {
      if (lastLookup?.orderId !== orderId) lastLookup = open.get(orderId) ?? finished.get(orderId)
      return lastLookup
    },
    values: () => [...finished.values(), ...open.values()],
  }
  const events = createEvents(world, orders)
  /** Orders finished since the last change of generation. */
  let finishedInGeneration = 0
  let [orderCount, eventCount] = [0, 0]
  let [hasChanged, hasForgotten] = [false, false]

  function keepOpen(order: OrderWatch): void {
    hasForgotten ||= open.size >= maxOrders
    setBounded(open, order.orderId, order, maxOrders)
  }

  function createOrder(order: FactOf<'order.created'>['order'], at: Instant): void {
    const { id: orderId, merchant, fulfillment } = order
    const watched: OrderWatch = {
      orderId,
      nth: ++orderCount,
      slot: world.faults.slots.get(orderId),
      merchantId: merchant.id,
      isForeign: !merchants.has(merchant.id),
      profile: fulfillment.orderType,
      createdAt: at,
      document: order,
      told: undefined,
      read: undefined,
      lastRead: undefined,
      handed: 0,
      heard: 0,
      lastCall: undefined,
      cancellation: undefined,
      known: createKnown(),
      shown: createShown(),
      waits: undefined,
      waited: 0,
      events: none,
      unheard: 0,
      truth: 'CREATED',
      truthSince: at,
      wasCancelled: false,
      reopened: 0,
      notes: blankNotes(),
    }
    keepOpen(watched)
    lastLookup = watched
  }

  /** Starts a new generation: evicts orders that finished before the previous one. */
  function startGeneration(): void {
    finished.age()
    events.age()
    finishedInGeneration = 0
    hasForgotten ||= hasChanged
    hasChanged = true
  }

  /** Moves an order between the open and the finished ones; an operator may reopen it. */
  function moveBetweenOpenAndFinished(order: OrderWatch, isEnd: boolean): void {
    const { orderId } = order
    if (!isEnd) {
      order.reopened++
      finished.drop(orderId)
      keepOpen(order)
      return
    }
    open.delete(orderId)
    finished.keep(orderId, order)
    finishedInGeneration++
    // The threshold grows with the number of open orders, since all of them are walked.
    if (finishedInGeneration >= Math.max(minFinished, open.size)) startGeneration()
  }

  function moveOrder(orderId: string, to: OrderStatus, at: Instant): void {
    const order = orders.get(orderId)
    if (!order) return
    const wasOver = isOver(order.truth)
    order.truth = to
    order.truthSince = at
    endWait(order, at)
    // An operator may revert a cancellation; a concluded order keeps how it ended.
    if (to !== 'CONCLUDED') order.wasCancelled = to === 'CANCELLED'
    if (isOver(to) !== wasOver) moveBetweenOpenAndFinished(order, isOver(to))
  }

  function emit(emitted: FactOf<'event.emitted' | 'event.announced'>['event'], at: Instant): void {
    const order = emitted.orderId === undefined ? undefined : orders.get(emitted.orderId)
    const event = new Emission(eventCount++, emitted, order, at)
    events.keep(event)
    if (!order) return
    order.events = order.events.concat(event)
    if (event.isOfOrders) order.unheard++
  }

  function acknowledge(eventId: string): void {
    const event = events.get(eventId)
    if (event) event.taken = true
  }

  function alter(eventId: string): void {
    const event = events.get(eventId)
    if (event) event.isChanged = true
  }

  function recordCancellation(
    orderId: string,
    cancellation: OrderWatch['cancellation'],
    at: Instant,
  ): void {
    const order = orders.get(orderId)
    if (!order) return
    order.cancellation = cancellation
    if (cancellation === 'deny') endWait(order, at)
    else beginWait(order, at)
  }

  /** A progress request by a party other than the subject (the subject's own calls are observed as exchanges). */
  function request(orderId: string, at: Instant): void {
    const order = orders.get(orderId)
    if (order) beginWait(order, at)
  }

  /** The order's content changed: later GETs return another body. */
  function forgetDocument(orderId: string): void {
    const order = orders.get(orderId)
    if (order) order.document = undefined
  }

  /** An accepted request lapsed without effect. */
  function lapse(orderId: string, at: Instant): void {
    const order = orders.get(orderId)
    if (order) endWait(order, at)
  }

  /** A webhook was sent or concluded. The subject may act on it before it answers. */
  function recordWebhook(
    placed: FactOf<'call.placed' | 'call.concluded'>['call'],
    by: 1 | -1,
    at: Instant,
  ): void {
    const event = placed.eventId === undefined ? undefined : events.get(placed.eventId)
    if (!event || placed.to !== subject) return
    event.calling += by
    const { orderId } = event
    if (orderId !== undefined)
      if (by > 0) sendOff(arrivals, orderId, placed.id, at)
      else arrive(arrivals, orderId, placed.id, at)
    const order = orderId === undefined ? undefined : orders.get(orderId)
    const status = projected(event.eventType)
    if (by < 0 || !order || !status || order.shown.has(status)) return
    order.shown.set({ status, since: at, cite: undefined })
  }

  return {
    orders,
    events,
    hasForgotten: () => hasForgotten || events.hasForgotten(),
    arrivals,
    facts: {
      'order.created': ({ order }, { at }) => createOrder(order, at),
      'order.requested': ({ orderId }, { at }) => request(orderId, at),
      'order.moved': ({ orderId, to }, { at }) => moveOrder(orderId, to, at),
      'order.lapsed': ({ orderId }, { at }) => lapse(orderId, at),
      'item.cancelled': ({ orderId }) => forgetDocument(orderId),
      'order.amended': ({ orderId }) => forgetDocument(orderId),
      'event.emitted': ({ event }, { at }) => emit(event, at),
      'event.announced': ({ event }, { at }) => emit(event, at),
      'event.altered': ({ eventId }) => alter(eventId),
      'events.acknowledged': ({ eventIds }) => {
        for (const eventId of eventIds) acknowledge(eventId)
      },
      'cancellation.requested': ({ orderId }, { at }) => recordCancellation(orderId, 'asked', at),
      'cancellation.answered': ({ orderId, answer }, { at }) =>
        recordCancellation(orderId, answer, at),
      'call.placed': ({ call: placed }, { at }) => recordWebhook(placed, 1, at),
      'call.concluded': ({ call: placed }, { at }) => recordWebhook(placed, -1, at),
    },
  }
}
