/**
 * Whom facts and items of the agenda concern. Logs show first what concerns the user's service; the agenda sets aside what
 * belongs to roles that it does not work with: it works with orders and accounts as the Software Service or the Ordering
 * Application, with deliveries as the Delivery Platform, with customers and points as the CRM. Without such a service the
 * agenda is that of orders.
 */
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { World } from '../engine/world.ts'
import type { Role } from '../protocol/role.ts'

const ordersRoles: readonly Role[] = ['ordering-application', 'software-service']
const deliveryRoles: readonly Role[] = ['delivery-platform']
const customerRoles: readonly Role[] = ['crm']

/** The roles that work with what the first word of a kind names. */
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
}

const firstWord = (kind: string): string => kind.slice(0, kind.indexOf('.'))

/** The roles that the members of a fact name. */
function namedRoles(fact: Fact): readonly Role[] {
  if ('call' in fact && typeof fact.call === 'object') return [fact.call.from, fact.call.to]
  if ('partner' in fact) return [fact.from, fact.partner]
  if ('clientId' in fact) return [fact.host]
  return 'role' in fact ? [fact.role, 'delivery-platform'] : [...ordersRoles, ...deliveryRoles]
}

/** Facts of one event; those of a poll, `events.…`, are of several. */
const isOfEvent = (fact: Fact): fact is Extract<Fact, { readonly kind: `event.${string}` }> =>
  fact.kind.startsWith('event.')

function eventRoles(fact: Fact, { announcements }: World): readonly Role[] {
  if (!isOfEvent(fact)) return ordersRoles
  const event = 'event' in fact ? fact.event : announcements.events.get(fact.eventId)
  return event && 'to' in event ? [event.from, event.to] : ordersRoles
}

/** The roles between which a fact happened; undefined for kinds that concern everybody. */
function rolesOfFact(fact: Fact, world: World): readonly Role[] | undefined {
  const word = firstWord(fact.kind)
  switch (word) {
    case 'event':
      return eventRoles(fact, world)
    case 'events':
    case 'table':
      return ordersRoles
    case 'shipment':
    case 'call':
    case 'partner':
    case 'consent':
    case 'token':
      return namedRoles(fact)
    default: {
      const roles = rolesByWord[word]
      return roles && [...ordersRoles, ...roles]
    }
  }
}

/** Whether a fact happened between a role and another, or concerns everybody. */
export const concernsRole = (fact: Fact, role: Role, world: World): boolean =>
  rolesOfFact(fact, world)?.includes(role) ?? true

/** Reads, by which we only look: they neither hand anything over nor change anything. */
const reads: ReadonlySet<Command['kind']> = new Set(['ticket.reconcile', 'shipment.read'])

/** What the guest of a restaurant does at a table, and partners of any role. */
const withoutRole: ReadonlySet<string> = new Set(['table', 'partner'])

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
  const word = firstWord(command.kind)
  // Items of other kinds, such as those made by hand, concern everybody.
  return !withoutRole.has(word) && (rolesByWord[word]?.includes(role ?? 'software-service') ?? true)
}
