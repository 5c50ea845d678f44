/**
 * Items that wait for something else to happen first: `past` so many handovers, for an acknowledgment, for the end of an
 * order. Such an item is due when its patience ends, and is brought forward as soon as that has happened.
 */
import type { Fact } from '../fact.ts'
import type { Instant } from '../instant.ts'
import type { Item } from '../agenda/item.ts'
import type { World } from '../world.ts'
import { wasHanded } from './handed.ts'

/** As a fault asks for it. */
export type WaitWish =
  /** So many handovers: of events of its order that are later than itself; without an order, of any events after now. */
  | {
      readonly kind: 'past'
      readonly handovers: number
      readonly eventId: string
      readonly orderId?: string
    }
  | { readonly kind: 'acknowledged'; readonly eventId: string }
  /** The order is over, and the event that says so was handed over. */
  | { readonly kind: 'over'; readonly orderId: string }
  /** So many polls after now that brought anything. */
  | { readonly kind: 'polled'; readonly polls: number }
  /** So many items of the same fault wait like this one: then all of them go on. */
  | { readonly kind: 'gathered'; readonly items: number }

/** As an item carries it: what is counted is counted from the beginning of the session. */
export type Wait = WaitWish & {
  /** It goes on after this much time, whatever has happened. */
  readonly atMostMs: number
}

/** An earlier event that is still on its way does not count: behind it, nothing would be out of order. */
export function handoversPast(
  { faults, ordering }: World,
  { orderId, eventId }: Extract<WaitWish, { kind: 'past' }>,
): number {
  if (orderId === undefined) return faults.handovers
  const handed = faults.handed.get(orderId) ?? []
  const eventIds = ordering.orders.get(orderId)?.eventIds ?? []
  const own = eventIds.indexOf(eventId)
  return own === -1 ? handed.length : handed.filter((each) => eventIds.indexOf(each) > own).length
}

/** From now on, as counted from the beginning. */
export function fromNow(wait: Wait, world: World): Wait {
  switch (wait.kind) {
    case 'past':
      return { ...wait, handovers: wait.handovers + handoversPast(world, wait) }
    case 'polled':
      return { ...wait, polls: wait.polls + world.faults.polls }
    default:
      return wait
  }
}

/** Its last event comes right after its end: what waits for that end comes after both. */
function isOver(world: World, orderId: string): boolean {
  const { ordering } = world
  const record = ordering.orders.get(orderId)
  if (!record) return true
  const { lastEvent } = record
  if (!ordering.over.has(orderId) || lastEvent === undefined) return false
  return wasHanded(world, orderId, lastEvent)
}

type Gathered = ReadonlyMap<Item['fault'], number>

/** How many wait for others like them, by the fault that gathers them: counted once for all that wait. */
function gatheredIn({ agenda }: World): Gathered {
  const gathered = new Map<Item['fault'], number>()
  for (const { wait, fault } of agenda.waiting.values())
    if (wait?.kind === 'gathered') gathered.set(fault, (gathered.get(fault) ?? 0) + 1)
  return gathered
}

function isMet({ wait, fault }: Item, world: World, fact: Fact, gathered: Gathered): boolean {
  if (wait === undefined) return false
  switch (wait.kind) {
    case 'past':
      return handoversPast(world, wait) >= wait.handovers
    case 'acknowledged':
      return (
        (fact.kind === 'events.acknowledged' && fact.eventIds.includes(wait.eventId)) ||
        (fact.kind === 'event.pushed' && fact.eventId === wait.eventId) ||
        // A recorded one was taken when its exchange came to its end.
        (fact.kind === 'playback.concluded' && fact.handed?.eventId === wait.eventId)
      )
    case 'over':
      return isOver(world, wait.orderId)
    case 'polled':
      return world.faults.polls >= wait.polls
    case 'gathered':
      return (gathered.get(fault) ?? 0) >= wait.items
    default:
      wait satisfies never
      return true
  }
}

/** What an item may wait for comes with one of these. */
const moves: ReadonlySet<Fact['kind']> = new Set([
  'event.emitted',
  'event.offered',
  'event.pushed',
  'events.polled',
  'events.acknowledged',
  'playback.concluded',
])

/** What goes on because of a fact. */
export function freed(fact: Fact, world: World, now: Instant): readonly Fact[] {
  if (world.agenda.waiting.size === 0 || !moves.has(fact.kind)) return []
  const gathered = gatheredIn(world)
  const met = [...world.agenda.waiting.values()].filter((item) =>
    isMet(item, world, fact, gathered),
  )
  return met.map(({ id, command }) => ({ kind: 'agenda.released', id, command, due: now }))
}
