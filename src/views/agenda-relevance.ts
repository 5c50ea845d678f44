/**
 * Which items of the agenda are shown first: events, effects and moves of what the user's service works with, which is
 * orders and accounts for the Software Service and the Ordering Application, deliveries for the Delivery Platform,
 * customers and points for the CRM. Without such a service they are those of orders.
 */
import type { Command } from '../engine/command.ts'
import type { World } from '../engine/world.ts'
import type { Role } from '../protocol/role.ts'

const ordersRoles: readonly Role[] = ['ordering-application', 'software-service']
const deliveryRoles: readonly Role[] = ['delivery-platform']
const customerRoles: readonly Role[] = ['crm']

/** By the first word of the kind; items of other kinds, such as those made by hand, concern everybody. */
const rolesByWord: Readonly<Record<string, readonly Role[]>> = {
  order: ordersRoles,
  cancellation: ordersRoles,
  item: ordersRoles,
  ticket: ordersRoles,
  handshake: ordersRoles,
  legacy: ordersRoles,
  account: ordersRoles,
  delivery: deliveryRoles,
  shipment: deliveryRoles,
  customer: customerRoles,
  relation: customerRoles,
  loyalty: customerRoles,
  reward: customerRoles,
  // What the guest of a restaurant does at a table.
  table: [],
  partner: [],
}

/** Reads, by which we only look: they neither hand anything over nor change anything. */
const reads: ReadonlySet<Command['kind']> = new Set(['ticket.reconcile', 'shipment.read'])

/** The sides of a handover or a call; undefined for other commands. */
function sidesOf(command: Command, { announcements }: World): readonly Role[] | undefined {
  switch (command.kind) {
    case 'event.offer':
    case 'event.push': {
      const event = announcements.events.get(command.eventId)
      return event ? [event.from, event.to] : ordersRoles
    }
    case 'call.place':
      return [command.call.from, command.call.to]
    default:
      return undefined
  }
}

/** Whether an item concerns a service in this role; without a role, whether it is about orders. */
export function isRelevant(command: Command, role: Role | undefined, world: World): boolean {
  if (reads.has(command.kind)) return false
  const sides = sidesOf(command, world)
  if (sides)
    return role === undefined
      ? sides.every((side) => ordersRoles.includes(side))
      : sides.includes(role)
  const roles = rolesByWord[command.kind.slice(0, command.kind.indexOf('.'))]
  return roles === undefined || roles.includes(role ?? 'software-service')
}
