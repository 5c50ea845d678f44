/** Applies facts about tickets. */
import { isOrderEventType } from '../../protocol/orders/events.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded } from '../bounded.ts'
import type { TicketFact } from './ticket-fact.ts'
import type { Instant } from '../instant.ts'
import { type StoreWorld, type OrderTicket, worldBounds } from '../world.ts'
import { isTicketStatusFinal } from './tickets.ts'

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

export function applyTicket(world: StoreWorld, fact: TicketFact, at: Instant): void {
  switch (fact.kind) {
    case 'ticket.announced':
      return applyAnnounced(world, fact, at)
    case 'ticket.event-forbidden':
      addBounded(world.seen, fact.eventId, worldBounds.seenEvents)
      return
    case 'ticket.read':
      return applyRead(world, fact, at)
    case 'ticket.asked': {
      const { orderId, trigger } = fact
      const cancelling = trigger === 'cancel' ? { cancelling: true as const } : {}
      return change(world, orderId, at, { asked: trigger, ...cancelling })
    }
    case 'ticket.refused': {
      const ticket = world.tickets.get(fact.orderId)
      if (!ticket) return
      const { asked: _asked, ...rest } = ticket
      const quiet = fact.trigger === 'read' ? ticket.quiet + 1 : ticket.quiet
      world.tickets.set(fact.orderId, { ...rest, quiet, round: ticket.round + 1 })
      if (fact.trigger === 'cancel' || fact.trigger === 'cancel-item') resume(world, fact.orderId)
      return
    }
    case 'ticket.stuck':
      change(world, fact.orderId, at, { closed: true })
      return evictClosed(world)
    case 'ticket.accepted':
    case 'ticket.event-repeated':
    case 'ticket.polled':
      return
    default:
      return assertNever(fact)
  }
}

/** A received event. One of an unknown type changes nothing about the order (ORD-EVR-08). */
function applyAnnounced(
  world: StoreWorld,
  { eventId, eventType, orderId }: Extract<TicketFact, { kind: 'ticket.announced' }>,
  at: Instant,
): void {
  addBounded(world.seen, eventId, worldBounds.seenEvents)
  if (!isOrderEventType(eventType)) return
  const ticket = world.tickets.get(orderId)
  const halted = eventType === 'CANCELLED' ? { halted: true as const } : {}
  change(world, orderId, at, { round: (ticket?.round ?? 0) + 1, quiet: 0, ...halted })
  if (eventType === 'CANCELLATION_REQUEST_DENIED') resume(world, orderId)
  if (eventType === 'ITEM_CANCELLED' && ticket?.asked === 'cancel-item')
    clearRequest(world, orderId)
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

function applyRead(
  world: StoreWorld,
  { orderId, status, profile, order, lastEvent }: Extract<TicketFact, { kind: 'ticket.read' }>,
  at: Instant,
): void {
  const before = world.tickets.get(orderId) ?? { orderId, round: 0, quiet: 0, since: at }
  const hasMoved = before.status !== status
  const { asked, halted: _halted, closed, ...rest } = before
  world.tickets.set(orderId, {
    ...rest,
    status,
    profile,
    order,
    since: hasMoved ? at : before.since,
    round: before.round + 1,
    quiet: hasMoved ? 0 : before.quiet + 1,
    // The pending request stays until the order has moved; a cancellation until it is answered.
    ...(asked !== undefined && !hasMoved ? { asked } : {}),
    // An order that was given up is reopened when it has moved.
    ...(isTicketStatusFinal(status) || (closed && !hasMoved) ? { closed: true } : {}),
  })
  // The event of a denial may be lost: the order's `lastEvent` shows it (ORD-EVR-06).
  if (before.cancelling && lastEvent === 'CANCELLATION_REQUEST_DENIED') resume(world, orderId)
  evictClosed(world)
}
