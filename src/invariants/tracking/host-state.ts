/** The host's part of the tracker state, from facts: orders, events and webhooks in flight. */
import { setBounded } from '../../engine/bounded.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Instant } from '../../engine/instant.ts'
import type { World } from '../../engine/world.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import {
  recordWebhookConcluded,
  type WebhooksInFlight,
  recordWebhookSent,
} from './webhooks-in-flight.ts'
import { createKnownStatuses, createShownStatuses } from './status-history.ts'
import { EmissionRecord } from './emission-record.ts'
import { createTrackedEvents } from './tracked-events.ts'
import { createGenerationalMap, type ReadonlyGenerationalMap } from './generational-map.ts'
import type { FactHandlers } from './fact-handlers.ts'
import { emptyInvariantStates } from './per-order-state.ts'
import { projectedStatus } from './progress.ts'
import { beginWait, endWait } from './waiting.ts'
import type { TrackedEvent, TrackedOrder, TrackerState } from './tracker-state.ts'
import { isFinalStatus } from './status-rank.ts'

/**
 * Maximum number of open orders, and minimum number of finished ones before eviction; memory holds at most twice as
 * many.
 */
const maxOrders = 20_000
const minFinished = 2000

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

export interface HostState {
  readonly orders: ReadonlyGenerationalMap<TrackedOrder>
  readonly events: ReadonlyGenerationalMap<TrackedEvent>
  readonly hasEvicted: () => boolean
  readonly arrivals: WebhooksInFlight
  readonly facts: FactHandlers
}

const none: readonly never[] = []

export function createHostState(
  world: World,
  { subject, merchants }: Pick<TrackerState, 'subject' | 'merchants'>,
): HostState {
  const open = new Map<string, TrackedOrder>()
  const finished = createGenerationalMap<TrackedOrder>(maxOrders)
  const arrivals: WebhooksInFlight = new Map()
  /** Cache of one entry: one call produces several facts and an observation about the same order. */
  let lastLookup: TrackedOrder | undefined
  const orders: ReadonlyGenerationalMap<TrackedOrder> = {
    get(orderId) {
      if (lastLookup?.orderId !== orderId) lastLookup = open.get(orderId) ?? finished.get(orderId)
      return lastLookup
    },
    values: () => [...finished.values(), ...open.values()],
  }
  const events = createTrackedEvents(world, orders)
  /** Orders finished since the last change of generation. */
  let finishedInGeneration = 0
  let [orderCount, eventCount] = [0, 0]
  let [hasChanged, hasForgotten] = [false, false]

  function keepOpen(order: TrackedOrder): void {
    hasForgotten ||= open.size >= maxOrders
    setBounded(open, order.orderId, order, maxOrders)
  }

  function createOrder(order: FactOf<'order.created'>['order'], at: Instant): void {
    const { id: orderId, merchant, fulfillment } = order
    const watched: TrackedOrder = {
      orderId,
      ordinal: ++orderCount,
      slot: world.faults.slotByOrder.get(orderId),
      merchantId: merchant.id,
      isForeign: !merchants.has(merchant.id),
      orderType: fulfillment.orderType,
      createdAt: at,
      document: order,
      firstReceipt: undefined,
      firstSnapshot: undefined,
      lastSnapshot: undefined,
      handoverCount: 0,
      lastCall: undefined,
      cancellation: undefined,
      knownStatuses: createKnownStatuses(),
      shownStatuses: createShownStatuses(),
      waits: undefined,
      waited: 0,
      events: none,
      undeliveredCount: 0,
      hostStatus: 'CREATED',
      hostStatusSince: at,
      wasCancelled: false,
      reopenedCount: 0,
      notes: emptyInvariantStates(),
    }
    keepOpen(watched)
    lastLookup = watched
  }

  /** Starts a new generation: evicts orders that finished before the previous one. */
  function startGeneration(): void {
    finished.evictOldGeneration()
    events.evictOldGeneration()
    finishedInGeneration = 0
    hasForgotten ||= hasChanged
    hasChanged = true
  }

  /** Moves an order between the open and the finished ones; an operator may reopen it. */
  function moveBetweenOpenAndFinished(order: TrackedOrder, isEnd: boolean): void {
    const { orderId } = order
    if (!isEnd) {
      order.reopenedCount++
      finished.delete(orderId)
      keepOpen(order)
      return
    }
    open.delete(orderId)
    finished.set(orderId, order)
    finishedInGeneration++
    // The threshold grows with the number of open orders, since all of them are walked.
    if (finishedInGeneration >= Math.max(minFinished, open.size)) startGeneration()
  }

  function moveOrder(orderId: string, to: OrderStatus, at: Instant): void {
    const order = orders.get(orderId)
    if (!order) return
    const wasOver = isFinalStatus(order.hostStatus)
    order.hostStatus = to
    order.hostStatusSince = at
    endWait(order, at)
    // An operator may revert a cancellation; a concluded order keeps how it ended.
    if (to !== 'CONCLUDED') order.wasCancelled = to === 'CANCELLED'
    if (isFinalStatus(to) !== wasOver) moveBetweenOpenAndFinished(order, isFinalStatus(to))
  }

  function emit(emitted: FactOf<'event.emitted' | 'event.announced'>['event'], at: Instant): void {
    const order = emitted.orderId === undefined ? undefined : orders.get(emitted.orderId)
    const event = new EmissionRecord(eventCount++, emitted, order, at)
    events.add(event)
    if (!order) return
    order.events = order.events.concat(event)
    if (event.isOfOrders) order.undeliveredCount++
  }

  function acknowledge(eventId: string): void {
    const event = events.get(eventId)
    if (!event) return
    event.isAcknowledged = true
    // An accepted one took effect late, and a second was refused, by 429 say: no poll asks for a third (TRN-STA-10).
    if (event.timesNamed > 1) event.owed = undefined
  }

  function alter(eventId: string): void {
    const event = events.get(eventId)
    if (event) event.isChanged = true
  }

  function recordCancellation(
    orderId: string,
    cancellation: TrackedOrder['cancellation'],
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
    event.callsInFlight += by
    const { orderId } = event
    if (orderId !== undefined)
      if (by > 0) recordWebhookSent(arrivals, orderId, placed.id, at)
      else recordWebhookConcluded(arrivals, orderId, placed.id, at)
    const order = orderId === undefined ? undefined : orders.get(orderId)
    const status = projectedStatus(event.eventType)
    if (by < 0 || !order || !status || order.shownStatuses.has(status)) return
    order.shownStatuses.set({ status, since: at, evidence: undefined })
  }

  return {
    orders,
    events,
    hasEvicted: () => hasForgotten || events.hasEvicted(),
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
