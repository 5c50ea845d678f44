/**
 * The orders of the reference Ordering Application and their events. A call is accepted at once and takes effect later;
 * a repeated call is accepted and changes nothing.
 */
import type { Clock } from './clock.ts'
import type { Lifetime } from './lifetime.ts'
import { isOver, type OrderStatus, statusRank, steps } from './lifecycle.ts'
import type { OriginalOrder } from './sample-orders.ts'

export interface HostedOrderEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly orderURL: string
  readonly createdAt: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export type CallReception = 'accepted' | 'unknown' | 'impossible'

export interface OrderHostParts {
  readonly clock: Clock
  readonly life: Lifetime
  readonly base: string
  /** Milliseconds from a 202 to its effect. */
  readonly processingMs: number
  /** Milliseconds from the end of an order to CONCLUDED. */
  readonly concludeMs: number
  readonly cancellation: 'accept' | 'deny'
  /** Called after every status change. */
  readonly onMoved: (order: OriginalOrder) => void
  /** Awaited before an order is cancelled. */
  readonly beforeCancel: (order: OriginalOrder) => Promise<void>
}

const maxOrders = 5000
/** Maximum number of events waiting for a poll; the oldest are evicted. */
const maxEvents = 20_000
const maxPolled = 1000

const eventOf: Readonly<Record<OrderStatus, string>> = {
  CREATED: 'CREATED',
  CONFIRMED: 'CONFIRMED',
  PREPARING: 'PREPARING',
  READY: 'READY_FOR_PICKUP',
  IN_DELIVERY: 'DISPATCHED',
  DELIVERED: 'DELIVERED',
  CANCELLED: 'CANCELLED',
  CONCLUDED: 'CONCLUDED',
}

/** The statuses from which a call reaches each status. */
const allowedFrom: Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>> = {
  CONFIRMED: ['CREATED'],
  PREPARING: ['CONFIRMED'],
  READY: ['CONFIRMED', 'PREPARING'],
  IN_DELIVERY: ['READY'],
  DELIVERED: ['READY', 'IN_DELIVERY'],
}

const mayMove = (order: OriginalOrder, to: OrderStatus): boolean =>
  (to !== 'IN_DELIVERY' || order.fulfillment.orderType === 'DELIVERY') &&
  allowedFrom[to]?.includes(order.status) === true

export class OrderHost {
  readonly #parts: OrderHostParts
  readonly #life: OrderHostParts['life']
  readonly #orders = new Map<string, OriginalOrder>()
  readonly #mailbox = new Map<string, HostedOrderEvent>()
  #events = 0

  constructor(parts: OrderHostParts) {
    this.#parts = parts
    this.#life = parts.life
  }

  /** Adds an order; returns whether there was room. */
  place(order: OriginalOrder): boolean {
    if (!this.#makeRoom()) return false
    this.#orders.set(order.id, order)
    this.#announce(order.id, 'CREATED')
    return true
  }

  order(orderId: string): OriginalOrder | undefined {
    return this.#orders.get(orderId)
  }

  /** A lifecycle call: `confirm`, `preparing` … */
  acceptCall(orderId: string, call: string): CallReception {
    const order = this.#orders.get(orderId)
    const to = steps.find((step) => step.call === call)?.to
    if (!order || !to) return 'unknown'
    const status = order.status
    const isPossible = to !== 'IN_DELIVERY' || order.fulfillment.orderType === 'DELIVERY'
    const isPassed = isPossible && statusRank(status) >= statusRank(to) && status !== 'CANCELLED'
    if (isPassed) return 'accepted'
    if (!mayMove(order, to)) return 'impossible'
    this.#later(this.#parts.processingMs, () => {
      const now = this.#orders.get(orderId)
      if (now && mayMove(now, to)) this.#move(orderId, to)
    })
    return 'accepted'
  }

  requestCancellation(orderId: string): CallReception {
    const order = this.#orders.get(orderId)
    if (!order) return 'unknown'
    if (isOver(order.status)) return 'impossible'
    this.#later(this.#parts.processingMs, () => this.#answerCancellation(orderId))
    return 'accepted'
  }

  /** Cancellation by the customer. */
  cancel(orderId: string): CallReception {
    const order = this.#orders.get(orderId)
    if (!order) return 'unknown'
    if (isOver(order.status)) return 'impossible'
    this.#cancel(order, 'CONSUMER_CANCELLATION_REQUESTED')
    return 'accepted'
  }

  pending(): readonly HostedOrderEvent[] {
    return [...this.#mailbox.values()].slice(0, maxPolled)
  }

  acknowledge(eventIds: readonly string[]): void {
    for (const eventId of eventIds) this.#mailbox.delete(eventId)
  }

  #announce(orderId: string, eventType: string, metadata?: HostedOrderEvent['metadata']): void {
    const eventId = `event-${++this.#events}-${Math.floor(this.#parts.clock.random() * 2 ** 32).toString(36)}`
    this.#mailbox.set(eventId, {
      eventId,
      eventType,
      orderId,
      orderURL: `${this.#parts.base}/orders/${orderId}`,
      createdAt: new Date(this.#parts.clock.now()).toISOString(),
      ...(metadata ? { metadata } : {}),
    })
    const [oldest] = this.#mailbox.keys()
    if (this.#mailbox.size > maxEvents && oldest !== undefined) this.#mailbox.delete(oldest)
    const order = this.#orders.get(orderId)
    if (order) this.#orders.set(orderId, { ...order, lastEvent: eventType })
  }

  #move(orderId: string, to: OrderStatus, metadata?: HostedOrderEvent['metadata']): void {
    const order = this.#orders.get(orderId)
    if (!order) return
    const moved = { ...order, status: to }
    this.#orders.set(orderId, moved)
    this.#announce(orderId, eventOf[to], metadata)
    this.#parts.onMoved(this.#orders.get(orderId) ?? moved)
    if (to === 'DELIVERED' || to === 'CANCELLED')
      this.#later(this.#parts.concludeMs, () => this.#move(orderId, 'CONCLUDED'))
  }

  #later(ms: number, then: () => void): void {
    this.#life.runInBackground(async () => {
      await this.#life.createSignal().wait(ms)
      if (this.#life.isRunning()) then()
    })
  }

  #cancel(order: OriginalOrder, code: string): void {
    this.#life.runInBackground(async () => {
      await this.#parts.beforeCancel(order)
      const now = this.#orders.get(order.id)
      if (this.#life.isRunning() && now && !isOver(now.status))
        this.#move(order.id, 'CANCELLED', { code })
    })
  }

  #answerCancellation(orderId: string): void {
    const order = this.#orders.get(orderId)
    if (!order || isOver(order.status)) return
    if (this.#parts.cancellation === 'deny')
      return this.#announce(orderId, 'CANCELLATION_REQUEST_DENIED')
    this.#announce(orderId, 'CANCELLATION_REQUEST_ACCEPTED')
    this.#cancel(order, 'OTHER_CANCELLATION_REASON')
  }

  /** Evicts the oldest concluded order; false when there is none. */
  #makeRoom(): boolean {
    if (this.#orders.size < maxOrders) return true
    for (const [orderId, { status }] of this.#orders)
      if (status === 'CONCLUDED') return this.#orders.delete(orderId)
    return false
  }
}
