/** The host's part of the tracker state, from facts: orders, events and webhooks in flight. */
import { addBounded } from '../../../engine/bounded.ts'
import type { Fact } from '../../../engine/fact.ts'
import type { Instant } from '../../../engine/instant.ts'
import type { World } from '../../../engine/world.ts'
import type { OrderStatus } from '../../../protocol/orders/order.ts'
import {
  recordWebhookConcluded,
  type WebhooksInFlight,
  recordWebhookSent,
} from './webhooks-in-flight.ts'
import type { FactHandlers } from './fact-handlers.ts'
import { projectedStatus } from './progress.ts'
import {
  beginWait,
  endWait,
  type TrackedEvent,
  type TrackedOrder,
  type TrackerState,
} from './tracker-state.ts'
import { isFinalStatus } from './status-rank.ts'

/** Maximum number of open orders, of finished ones, and of events without an order. */
const maxOpen = 20_000
const maxFinished = 4000
const maxWithoutOrder = 100_000

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>

export class HostState {
  readonly arrivals: WebhooksInFlight = new Map()
  readonly #world: World
  readonly #options: Pick<TrackerState, 'subject' | 'merchants'>
  readonly #orders = new Map<string, TrackedOrder>()
  readonly #events = new Map<string, TrackedEvent>()
  readonly #open = new Set<TrackedOrder>()
  readonly #finished = new Set<TrackedOrder>()
  readonly #withoutOrder = new Set<TrackedEvent>()
  #orderCount = 0
  #hasEvicted = false
  readonly orders: TrackerState['orders'] = {
    get: (orderId) => this.#orders.get(orderId),
    values: () => [...this.#finished, ...this.#open],
  }
  readonly events: TrackerState['events'] = {
    get: (eventId) => this.#events.get(eventId),
    values: () => [
      ...[...this.#finished, ...this.#open].flatMap((order) => order.events),
      ...this.#withoutOrder,
    ],
  }
  readonly facts: FactHandlers = {
    'order.created': ({ order }, { at }) => this.#createOrder(order, at),
    // The subject's own calls are observed as exchanges.
    'order.requested': ({ orderId }, { at, by }) => {
      if (by !== 'subject') this.#request(orderId, at)
    },
    'order.moved': ({ orderId, to }, { at }) => this.#moveOrder(orderId, to, at),
    'order.lapsed': ({ orderId }, { at }) => this.#lapse(orderId, at),
    'item.cancelled': ({ orderId }) => this.#forgetDocument(orderId),
    'order.amended': ({ orderId }) => this.#forgetDocument(orderId),
    'event.emitted': ({ event }, { at }) => this.#emit(event, at),
    'event.announced': ({ event }, { at }) => this.#emit(event, at),
    'event.altered': ({ eventId }) => this.#alter(eventId),
    'events.acknowledged': ({ eventIds }) => {
      for (const eventId of eventIds) this.#acknowledge(eventId)
    },
    'cancellation.requested': ({ orderId }, { at, by }) => {
      this.#recordCancellation(orderId, 'asked', at)
      const order = this.#orders.get(orderId)
      if (order && by === 'subject') order.hasRequestedCancellation = true
    },
    'cancellation.answered': ({ orderId, answer }, { at }) =>
      this.#recordCancellation(orderId, answer, at),
    'call.placed': ({ call: placed }, { at }) => this.#recordWebhook(placed, 1, at),
    'call.concluded': ({ call: placed }, { at }) => this.#recordWebhook(placed, -1, at),
  }

  constructor(world: World, options: Pick<TrackerState, 'subject' | 'merchants'>) {
    this.#world = world
    this.#options = options
  }

  hasEvicted(): boolean {
    return this.#hasEvicted
  }

  /** Adds an order to the open or the finished ones; the oldest of them is evicted with its events. */
  #keep(order: TrackedOrder, among: Set<TrackedOrder>): void {
    const evicted = addBounded(among, order, among === this.#open ? maxOpen : maxFinished)
    if (!evicted) return
    this.#hasEvicted = true
    this.#orders.delete(evicted.orderId)
    for (const { eventId } of evicted.events) this.#events.delete(eventId)
  }

  #createOrder(order: FactOf<'order.created'>['order'], at: Instant): void {
    const { id: orderId, merchant, fulfillment } = order
    const watched: TrackedOrder = {
      orderId,
      ordinal: ++this.#orderCount,
      slot: this.#world.faults.slotByOrder.get(orderId),
      merchantId: merchant.id,
      isForeign: !this.#options.merchants.has(merchant.id),
      orderType: fulfillment.orderType,
      createdAt: at,
      document: order,
      firstReceipt: undefined,
      firstSnapshot: undefined,
      lastSnapshot: undefined,
      wasReadOpen: false,
      effects: undefined,
      handoverCount: 0,
      polledAt: [],
      lastCall: undefined,
      cancellation: undefined,
      hasRequestedCancellation: false,
      knownStatuses: new Map(),
      shownStatuses: new Map(),
      waits: undefined,
      waited: 0,
      events: [],
      hostStatus: 'CREATED',
      hostStatusSince: at,
      wasCancelled: false,
      reopenedCount: 0,
    }
    this.#orders.set(orderId, watched)
    this.#keep(watched, this.#open)
  }

  #moveOrder(orderId: string, to: OrderStatus, at: Instant): void {
    const order = this.#orders.get(orderId)
    if (!order) return
    const wasOver = isFinalStatus(order.hostStatus)
    order.hostStatus = to
    order.hostStatusSince = at
    endWait(order, at)
    // An operator may revert a cancellation; a concluded order keeps how it ended.
    if (to !== 'CONCLUDED') order.wasCancelled = to === 'CANCELLED'
    const isOver = isFinalStatus(to)
    if (isOver === wasOver) return
    // An operator may reopen it.
    if (!isOver) order.reopenedCount++
    const [from, among] = isOver ? [this.#open, this.#finished] : [this.#finished, this.#open]
    from.delete(order)
    this.#keep(order, among)
  }

  #emit(emitted: FactOf<'event.emitted' | 'event.announced'>['event'], at: Instant): void {
    const { eventId, eventType } = emitted
    const order = emitted.orderId === undefined ? undefined : this.#orders.get(emitted.orderId)
    const isOfOrders = 'createdAt' in emitted
    const event: TrackedEvent = {
      eventId,
      eventType,
      order,
      orderId: order?.orderId ?? emitted.orderId,
      isOfOrders,
      emittedAt: at,
      createdAt: isOfOrders && emitted.more === undefined ? emitted.createdAt : undefined,
      isChanged: false,
      handoverCount: 0,
      callsInFlight: 0,
      isAcknowledged: false,
      isFoundOut: false,
      owed: undefined,
      pressing: undefined,
      lastNamedAt: undefined,
      timesNamed: 0,
    }
    this.#events.set(eventId, event)
    if (order) order.events.push(event)
    else {
      const evicted = addBounded(this.#withoutOrder, event, maxWithoutOrder)
      if (evicted) this.#events.delete(evicted.eventId)
      this.#hasEvicted ||= evicted !== undefined
    }
  }

  #acknowledge(eventId: string): void {
    const event = this.#events.get(eventId)
    if (!event) return
    event.isAcknowledged = true
    // An accepted one took effect late, and a second was refused, by 429 say: no poll asks for a third (TRN-STA-10).
    if (event.timesNamed > 1) event.owed = undefined
  }

  #alter(eventId: string): void {
    const event = this.#events.get(eventId)
    if (!event) return
    event.isChanged = true
    event.createdAt = undefined
  }

  #recordCancellation(
    orderId: string,
    cancellation: TrackedOrder['cancellation'],
    at: Instant,
  ): void {
    const order = this.#orders.get(orderId)
    if (!order) return
    order.cancellation = cancellation
    if (cancellation === 'deny') endWait(order, at)
    else beginWait(order, at)
  }

  /** A progress request by a party other than the subject . */
  #request(orderId: string, at: Instant): void {
    const order = this.#orders.get(orderId)
    if (order) beginWait(order, at)
  }

  /** The order's content changed: later GETs return another body. */
  #forgetDocument(orderId: string): void {
    const order = this.#orders.get(orderId)
    if (order) order.document = undefined
  }

  /** An accepted request lapsed without effect. */
  #lapse(orderId: string, at: Instant): void {
    const order = this.#orders.get(orderId)
    if (order) endWait(order, at)
  }

  /** A webhook was sent or concluded. The subject may act on it before it answers. */
  #recordWebhook(
    placed: FactOf<'call.placed' | 'call.concluded'>['call'],
    by: 1 | -1,
    at: Instant,
  ): void {
    const event = placed.eventId === undefined ? undefined : this.#events.get(placed.eventId)
    if (!event || placed.to !== this.#options.subject) return
    event.callsInFlight += by
    const { orderId } = event
    if (orderId !== undefined)
      if (by > 0) recordWebhookSent(this.arrivals, orderId, placed.id, at)
      else recordWebhookConcluded(this.arrivals, orderId, placed.id, at)
    const order = orderId === undefined ? undefined : this.#orders.get(orderId)
    const status = projectedStatus(event.eventType)
    if (by < 0 || !order || !status || order.shownStatuses.has(status)) return
    order.shownStatuses.set(status, { status, since: at, evidence: undefined })
  }
}
