/** Between which roles a fact happened: with it, logs show first what concerns the user's service. */
import { isOfCapability } from '../engine/capability-kind.ts'
import type { Fact } from '../engine/fact.ts'
import type { World } from '../engine/world.ts'
import type { Role } from '../protocol/role.ts'

type RolesOf = readonly Role[] | ((fact: Fact, world: World) => readonly Role[])

const ordersRoles: readonly Role[] = ['ordering-application', 'software-service']
const deliveryRoles: readonly Role[] = [...ordersRoles, 'delivery-platform']
const customerRoles: readonly Role[] = [...ordersRoles, 'crm']

/** The roles that the members of a fact name. */
function namedRoles(fact: Fact): readonly Role[] {
  if ('call' in fact && typeof fact.call === 'object') return [fact.call.from, fact.call.to]
  if ('partner' in fact) return [fact.from, fact.partner]
  if ('clientId' in fact) return [fact.host]
  return 'role' in fact ? [fact.role, 'delivery-platform'] : deliveryRoles
}

function eventRoles(fact: Fact, { announcements }: World): readonly Role[] {
  if (!isOfCapability(fact, 'event')) return ordersRoles
  const event = 'event' in fact ? fact.event : announcements.events.get(fact.eventId)
  return event && 'to' in event ? [event.from, event.to] : ordersRoles
}

/** By the first word of the kind; facts of other kinds concern everybody. */
const rolesByWord: Readonly<Record<string, RolesOf>> = {
  order: ordersRoles,
  cancellation: ordersRoles,
  item: ordersRoles,
  ticket: ordersRoles,
  handshake: ordersRoles,
  legacy: ordersRoles,
  account: ordersRoles,
  table: ordersRoles,
  events: ordersRoles,
  event: eventRoles,
  delivery: deliveryRoles,
  shipment: namedRoles,
  call: namedRoles,
  partner: namedRoles,
  consent: namedRoles,
  token: namedRoles,
  customer: customerRoles,
  relation: customerRoles,
  loyalty: customerRoles,
  reward: customerRoles,
}

/** Whether a fact happened between a role and another, or concerns everybody. */
export function concernsRole(fact: Fact, role: Role, world: World): boolean {
  const found = rolesByWord[fact.kind.slice(0, fact.kind.indexOf('.'))]
  if (!found) return true
  return (typeof found === 'function' ? found(fact, world) : found).includes(role)
}
