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

export interface OrderHost {
  /** Adds an order; returns whether there was room. */
  readonly place: (order: OriginalOrder) => boolean
  readonly order: (orderId: string) => OriginalOrder | undefined
  /** A lifecycle call: `confirm`, `preparing` … */
  readonly acceptCall: (orderId: string, call: string) => CallReception
  readonly requestCancellation: (orderId: string) => CallReception
  /** Cancellation by the customer. */
  readonly cancel: (orderId: string) => CallReception
  readonly pending: () => readonly HostedOrderEvent[]
  readonly acknowledge: (eventIds: readonly string[]) => void
}

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

export function createOrderHost(parts: OrderHostParts): OrderHost {
  const { clock, life, base, processingMs, concludeMs, cancellation, onMoved } = parts
  const orders = new Map<string, OriginalOrder>()
  const mailbox = new Map<string, HostedOrderEvent>()
  let events = 0

  function announce(
    orderId: string,
    eventType: string,
    metadata?: HostedOrderEvent['metadata'],
  ): void {
    const eventId = `event-${++events}-${Math.floor(clock.random() * 2 ** 32).toString(36)}`
    mailbox.set(eventId, {
      eventId,
      eventType,
      orderId,
      orderURL: `${base}/orders/${orderId}`,
      createdAt: new Date(clock.now()).toISOString(),
      ...(metadata ? { metadata } : {}),
    })
    const [oldest] = mailbox.keys()
    if (mailbox.size > maxEvents && oldest !== undefined) mailbox.delete(oldest)
    const order = orders.get(orderId)
    if (order) orders.set(orderId, { ...order, lastEvent: eventType })
  }

  function move(orderId: string, to: OrderStatus, metadata?: HostedOrderEvent['metadata']): void {
    const order = orders.get(orderId)
    if (!order) return
    const moved = { ...order, status: to }
    orders.set(orderId, moved)
    announce(orderId, eventOf[to], metadata)
    onMoved(orders.get(orderId) ?? moved)
    if (to === 'DELIVERED' || to === 'CANCELLED')
      later(concludeMs, () => move(orderId, 'CONCLUDED'))
  }

  function later(ms: number, then: () => void): void {
    life.runInBackground(async () => {
      await life.createSignal().wait(ms)
      if (life.isRunning()) then()
    })
  }

  const mayMove = (order: OriginalOrder, to: OrderStatus): boolean =>
    (to !== 'IN_DELIVERY' || order.fulfillment.orderType === 'DELIVERY') &&
    allowedFrom[to]?.includes(order.status) === true

  function cancel(order: OriginalOrder, code: string): void {
    life.runInBackground(async () => {
      await parts.beforeCancel(order)
      const now = orders.get(order.id)
      if (life.isRunning() && now && !isOver(now.status)) move(order.id, 'CANCELLED', { code })
    })
  }

  function answerCancellation(orderId: string): void {
    const order = orders.get(orderId)
    if (!order || isOver(order.status)) return
    if (cancellation === 'deny') return announce(orderId, 'CANCELLATION_REQUEST_DENIED')
    announce(orderId, 'CANCELLATION_REQUEST_ACCEPTED')
    cancel(order, 'OTHER_CANCELLATION_REASON')
  }

  /** Evicts the oldest concluded order; false when there is none. */
  function makeRoom(): boolean {
    if (orders.size < maxOrders) return true
    for (const [orderId, { status }] of orders)
      if (status === 'CONCLUDED') return orders.delete(orderId)
    return false
  }

  return {
    place(order) {
      if (!makeRoom()) return false
      orders.set(order.id, order)
      announce(order.id, 'CREATED')
      return true
    },
    order: (orderId) => orders.get(orderId),
    acceptCall(orderId, call) {
      const order = orders.get(orderId)
      const to = steps.find((step) => step.call === call)?.to
      if (!order || !to) return 'unknown'
      const status = order.status
      const isPossible = to !== 'IN_DELIVERY' || order.fulfillment.orderType === 'DELIVERY'
      const isPassed = isPossible && statusRank(status) >= statusRank(to) && status !== 'CANCELLED'
      if (isPassed) return 'accepted'
      if (!mayMove(order, to)) return 'impossible'
      later(processingMs, () => {
        const now = orders.get(orderId)
        if (now && mayMove(now, to)) move(orderId, to)
      })
      return 'accepted'
    },
    requestCancellation(orderId) {
      const order = orders.get(orderId)
      if (!order) return 'unknown'
      if (isOver(order.status)) return 'impossible'
      later(processingMs, () => answerCancellation(orderId))
      return 'accepted'
    },
    cancel(orderId) {
      const order = orders.get(orderId)
      if (!order) return 'unknown'
      if (isOver(order.status)) return 'impossible'
      cancel(order, 'CONSUMER_CANCELLATION_REQUESTED')
      return 'accepted'
    },
    pending: () => [...mailbox.values()].slice(0, maxPolled),
    acknowledge(eventIds) {
      for (const eventId of eventIds) mailbox.delete(eventId)
    },
  }
}
