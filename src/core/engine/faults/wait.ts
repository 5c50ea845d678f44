/**
 * Wait conditions of items: a number of handovers, an acknowledgment, the end of an order, polls, or a batch of items.
 * Such an item is due when its maximum wait ends, and is released as soon as its condition is met.
 */
import type { Fact } from '../fact.ts'
import type { Instant } from '../instant.ts'
import type { AgendaItem } from '../agenda/item.ts'
import type { World } from '../world.ts'
import { wasHandedOver } from './handed-over.ts'
import type { WaitCondition, ItemWait } from './wait-condition.ts'

/** Earlier events of the order that are still on their way do not count: after them, nothing would be out of order. */
export function countLaterHandovers(
  { faults, ordering }: World,
  { orderId, eventId, channel }: Extract<WaitCondition, { kind: 'later-events' }>,
): number {
  if (orderId === undefined) return faults.handovers[channel]
  const handed = faults.handedOver[channel].get(orderId) ?? []
  const eventIds = ordering.orders.get(orderId)?.eventIds ?? []
  const own = eventIds.indexOf(eventId)
  return own === -1 ? handed.length : handed.filter((each) => eventIds.indexOf(each) > own).length
}

/** Makes relative counts absolute. */
export function toAbsoluteWait(wait: ItemWait, world: World): ItemWait {
  switch (wait.kind) {
    case 'later-events':
      return { ...wait, handovers: wait.handovers + countLaterHandovers(world, wait) }
    case 'polled':
      return { ...wait, polls: wait.polls + world.faults.polls }
    default:
      return wait
  }
}

/** The last event follows the end of the order: the wait ends after both. */
function isLastEventHandedOver(
  world: World,
  { orderId, channel }: Extract<WaitCondition, { kind: 'order-ended' }>,
): boolean {
  const { ordering } = world
  const record = ordering.orders.get(orderId)
  if (!record) return true
  const { lastEvent } = record
  if (!ordering.over.has(orderId) || lastEvent === undefined) return false
  return wasHandedOver(world, orderId, lastEvent, channel)
}

type GatheredCounts = ReadonlyMap<AgendaItem['fault'], number>

/** Number of `gathered` items by fault, counted once for all of them. */
function countGathered({ agenda }: World): GatheredCounts {
  const gathered = new Map<AgendaItem['fault'], number>()
  for (const { wait, fault } of agenda.waiting.values())
    if (wait?.kind === 'gathered') gathered.set(fault, (gathered.get(fault) ?? 0) + 1)
  return gathered
}

function isMet(
  { wait, fault }: AgendaItem,
  world: World,
  fact: Fact,
  gathered: GatheredCounts,
): boolean {
  if (wait === undefined) return false
  switch (wait.kind) {
    case 'later-events':
      return countLaterHandovers(world, wait) >= wait.handovers
    case 'acknowledged':
      return (
        (fact.kind === 'events.acknowledged' && fact.eventIds.includes(wait.eventId)) ||
        (fact.kind === 'event.pushed' && fact.eventId === wait.eventId) ||
        // A recorded event counts as accepted when its exchange has ended.
        (fact.kind === 'playback.concluded' && fact.handed?.eventId === wait.eventId)
      )
    case 'order-ended':
      return isLastEventHandedOver(world, wait)
    case 'polled':
      return world.faults.polls >= wait.polls
    case 'gathered':
      return (gathered.get(fault) ?? 0) >= wait.items
    default:
      wait satisfies never
      return true
  }
}

/** Kinds of facts that can meet a wait condition. */
const releasingKinds: ReadonlySet<Fact['kind']> = new Set([
  'event.emitted',
  'event.offered',
  'event.pushed',
  'events.polled',
  'events.acknowledged',
  'playback.concluded',
])

/** The releases of items whose condition a fact has met. */
export function releasedByFact(fact: Fact, world: World, now: Instant): readonly Fact[] {
  if (world.agenda.waiting.size === 0 || !releasingKinds.has(fact.kind)) return []
  const gathered = countGathered(world)
  const met = [...world.agenda.waiting.values()].filter((item) =>
    isMet(item, world, fact, gathered),
  )
  return met.map(({ id, command }) => ({ kind: 'agenda.released', id, command, due: now }))
}
