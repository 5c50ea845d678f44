/**
 * What of ours is still to come, looked up in the world when somebody wants a verdict. To follow it by what happens would
 * take three of four facts of a session, and only who asks at the end wants to know.
 */
import type { World } from '../../engine/world.ts'
import type { Role } from '../../protocol/role.ts'

export interface Coming {
  /** A call that was accepted, or an answer of ours, has still to take effect on the order: it is our turn. */
  readonly forOrder: (orderId: string) => boolean
  /** The event may still reach the subject: a poll brings it, it is on its way, or something will send it there. */
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
        // The end of an order's memory is nothing that anybody waits for.
        if (command.trigger !== 'conclude') orders.add(command.orderId)
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

/** As the world is now, to be asked before it goes on. An agenda may be long: it is read when somebody asks first. */
export function comingIn(world: World, subject: Role): Coming {
  let found: Planned | undefined
  const planned = (): Planned => (found ??= plannedIn(world, subject))
  const { mailbox, waiting } = world.ordering
  return {
    forOrder: (orderId) => planned().orders.has(orderId),
    event: (eventId) =>
      mailbox.has(eventId) || waiting.has(eventId) || planned().events.has(eventId),
  }
}
