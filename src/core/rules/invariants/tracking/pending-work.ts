/**
 * Pending work of Sparring, read from the world when a verdict is requested. Tracking it continuously would need three
 * of four facts of a session.
 */
import type { World } from '../../../engine/world.ts'
import type { Role } from '../../../protocol/role.ts'

export interface PendingWork {
  /** An accepted call, or an answer of Sparring, has still to take effect on the order. */
  readonly affectsOrder: (orderId: string) => boolean
  /** The event may still arrive at the subject: it is in the mailbox, in flight, or planned. */
  readonly event: (eventId: string) => boolean
}

interface Planned {
  readonly orders: Set<string>
  readonly events: Set<string>
}

function plannedIn({ agenda, calls }: World, subject: Role): Planned {
  const orders = new Set<string>()
  const events = new Set<string>()
  for (const { command } of agenda.byId.values())
    switch (command.kind) {
      case 'order.apply':
        // Concluding an order is awaited by no rule, and its deadline is for the service.
        if (command.trigger !== 'conclude' && command.unconfirmedMs === undefined)
          orders.add(command.orderId)
        break
      case 'cancellation.answer':
      case 'item.cancel':
        orders.add(command.orderId)
        break
      case 'event.offer':
      case 'event.push':
        events.add(command.eventId)
        break
      default:
    }
  for (const { to, eventId } of calls.values())
    if (to === subject && eventId !== undefined) events.add(eventId)
  return { orders, events }
}

/** Pending work as of now; use it before the world changes. The agenda may be long, so it is read on first use. */
export function pendingWorkIn(world: World, subject: Role): PendingWork {
  let found: Planned | undefined
  const planned = (): Planned => (found ??= plannedIn(world, subject))
  const { mailbox, waiting } = world.ordering
  return {
    affectsOrder: (orderId) => planned().orders.has(orderId),
    event: (eventId) =>
      mailbox.has(eventId) || waiting.has(eventId) || planned().events.has(eventId),
  }
}
