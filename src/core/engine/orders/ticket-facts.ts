/** Facts of the Software Service about orders. */
import { isOrderEventType, orderEvents } from '../../protocol/orders/events.ts'
import type { Order, OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import { addBounded } from '../bounded.ts'
import type { EventChannel } from '../emitted-event.ts'
import { factRow } from '../fact-row.ts'
import { listCount } from '../short-text.ts'
import { assignOrderSlot } from '../faults/slots.ts'
import type { Instant } from '../instant.ts'
import { type OrderTicket, type StoreWorld, worldBounds } from '../world.ts'
import { isTicketStatusFinal, type TicketRequest } from './tickets.ts'

export interface EventReceived {
  readonly orderId: string
  readonly eventId: string
  readonly eventType: string
  readonly channel: EventChannel
}

export interface OrderRead {
  readonly orderId: string
  readonly status: OrderStatus
  readonly lastEvent?: string
  readonly profile: OrderType
  readonly order: Order
}

/** Changes a ticket; an unknown order gets a new one. */
function change(
  world: StoreWorld,
  orderId: string,
  at: Instant,
  changes: Partial<OrderTicket>,
): void {
  const ticket = world.tickets.get(orderId) ?? { orderId, round: 0, quiet: 0, since: at }
  world.tickets.set(orderId, { ...ticket, ...changes })
}

/** Evicts the oldest ticket if it is closed. */
function evictClosed(world: StoreWorld): void {
  if (world.tickets.size <= worldBounds.ticketsClosed) return
  for (const [orderId, { closed }] of world.tickets) {
    if (closed) world.tickets.delete(orderId)
    return
  }
}

/** Clears the pending request. */
function clearRequest(world: StoreWorld, orderId: string): void {
  const ticket = world.tickets.get(orderId)
  if (!ticket) return
  const { asked: _asked, ...rest } = ticket
  world.tickets.set(orderId, rest)
}

/** The cancellation was refused: progress continues. */
function resume(world: StoreWorld, orderId: string): void {
  const ticket = world.tickets.get(orderId)
  if (!ticket) return
  const { cancelling: _cancelling, asked: _asked, ...rest } = ticket
  world.tickets.set(orderId, { ...rest, denied: true })
}

export const ticketFacts = {
  /** The Software Service stored a new event. One of an unknown type changes nothing about the order (ORD-EVR-08). */
  'ticket.announced': factRow<EventReceived>({
    text: ({ eventType, channel }) => `SS received ${eventType} (${channel})`,
    apply({ store, faults }, { eventId, eventType, orderId }, at) {
      // A service that is kept may still send events of orders of an earlier session.
      if (eventType === 'CREATED') assignOrderSlot(faults, orderId)
      addBounded(store.seen, eventId, worldBounds.seenEvents)
      if (!isOrderEventType(eventType)) return
      const ticket = store.tickets.get(orderId)
      const halted = eventType === 'CANCELLED' ? { halted: true as const } : {}
      // A partner may hand over one event under ever new ids.
      const isNews = orderEvents[eventType].projects !== ticket?.status
      const heard = isNews && ticket?.refusals !== undefined ? { refusals: 0 } : {}
      change(store, orderId, at, { round: (ticket?.round ?? 0) + 1, quiet: 0, ...halted, ...heard })
      if (eventType === 'CANCELLATION_REQUEST_DENIED') resume(store, orderId)
      if (eventType === 'ITEM_CANCELLED' && ticket?.asked === 'cancel-item')
        clearRequest(store, orderId)
    },
  }),
  /** A duplicate event was ignored. */
  'ticket.event-repeated': factRow<{ eventId: string; channel: EventChannel }>({
    text: ({ channel }) => `SS received an event again (${channel})`,
  }),
  /** An event that the order's profile forbids was received; by webhook it was rejected. */
  'ticket.event-forbidden': factRow<EventReceived>({
    text: ({ eventType }) => `SS rejects ${eventType}: forbidden for the profile`,
    apply({ store }, { eventId }) {
      addBounded(store.seen, eventId, worldBounds.seenEvents)
    },
  }),
  /** A poll was answered with these events; `pauseMs` is the Retry-After of the host. */
  'ticket.polled': factRow<{ eventIds: readonly string[]; pauseMs?: number }>({
    text: ({ eventIds }) => `SS polled ${listCount(eventIds, 'event')}`,
  }),
  /** The Software Service read the order. */
  'ticket.read': factRow<OrderRead>({
    text: ({ status }) => `SS read ${status}`,
    apply({ store }, { orderId, status, profile, order, lastEvent }, at) {
      const before = store.tickets.get(orderId) ?? { orderId, round: 0, quiet: 0, since: at }
      const hasMoved = before.status !== status
      const { asked, halted: _halted, closed, refusals, ...rest } = before
      store.tickets.set(orderId, {
        ...rest,
        status,
        profile,
        order,
        since: hasMoved ? at : before.since,
        round: before.round + 1,
        quiet: hasMoved ? 0 : before.quiet + 1,
        // The pending request stays until the order has moved; a cancellation until it is answered.
        ...(asked !== undefined && !hasMoved ? { asked } : {}),
        ...(refusals !== undefined && !hasMoved ? { refusals } : {}),
        // An abandoned order is reopened when it has moved.
        ...(isTicketStatusFinal(status) || (closed && !hasMoved) ? { closed: true } : {}),
      })
      // The event of a denial may be lost: the order's `lastEvent` shows it (ORD-EVR-06).
      if (before.cancelling && lastEvent === 'CANCELLATION_REQUEST_DENIED') resume(store, orderId)
      evictClosed(store)
    },
  }),
  /** The Software Service made a request: its call is in flight. */
  'ticket.asked': factRow<{ orderId: string; trigger: TicketRequest }>({
    text: ({ trigger }) => `SS asks: ${trigger}`,
    apply({ store }, { orderId, trigger }, at) {
      const cancelling = trigger === 'cancel' ? { cancelling: true as const } : {}
      change(store, orderId, at, { asked: trigger, ...cancelling })
    },
  }),
  /** The counterpart accepted the call; its effect comes later. */
  'ticket.accepted': factRow<{ orderId: string; trigger: TicketRequest }>({
    text: ({ trigger }) => `SS got 202 for ${trigger}`,
  }),
  /** The counterpart refused the call. */
  'ticket.refused': factRow<{
    orderId: string
    trigger: TicketRequest | 'read'
    because: string
  }>({
    text: ({ trigger, because }) => `SS was refused ${trigger}: ${because}`,
    apply({ store }, { orderId, trigger }) {
      const ticket = store.tickets.get(orderId)
      if (!ticket) return
      const { asked: _asked, ...rest } = ticket
      const { quiet, refusals = 0 } = ticket
      const count = trigger === 'read' ? { quiet: quiet + 1 } : { refusals: refusals + 1 }
      store.tickets.set(orderId, { ...rest, ...count, round: ticket.round + 1 })
      if (trigger === 'cancel' || trigger === 'cancel-item') resume(store, orderId)
    },
  }),
  /** The Software Service gave up on this order after too many reads without news. */
  'ticket.stuck': factRow<{ orderId: string; status?: OrderStatus }>({
    text: ({ status }) => `SS gives up waiting${status ? ` in ${status}` : ''}`,
    apply({ store }, { orderId }, at) {
      change(store, orderId, at, { closed: true })
      evictClosed(store)
    },
  }),
}
