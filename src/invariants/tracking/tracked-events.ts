/**
 * Events by id. An order's events are stored on the order, and the host knows the order of an event: a map of all
 * events would be a large part of the memory. Lookups follow the order of emission, poll by poll, so the next event is
 * tried first.
 */
import type { World } from '../../engine/world.ts'
import { createGenerationalMap, type ReadonlyGenerationalMap } from './generational-map.ts'
import type { TrackedEvent, TrackedOrder } from './tracker-state.ts'

/** Size of the ring of recent events: small enough that their orders cannot have been evicted. */
const maxRecent = 1024
const maxWithoutOrder = 100_000

export interface TrackedEvents extends ReadonlyGenerationalMap<TrackedEvent> {
  /** Adds an event; its order, if any, must be tracked already. */
  readonly add: (event: TrackedEvent) => void
  /** Evicts events without an order that were not set since the last call. */
  readonly evictOldGeneration: () => void
  /** Whether events without an order were evicted. */
  readonly hasEvicted: () => boolean
}

export function createTrackedEvents(
  { ordering, announcements }: World,
  orders: ReadonlyGenerationalMap<TrackedOrder>,
): TrackedEvents {
  const withoutOrder = createGenerationalMap<TrackedEvent>(maxWithoutOrder)
  let [addedWithoutOrder, hasForgotten] = [0, false]
  /** Ring buffer, indexed by ordinal. */
  const recent: (TrackedEvent | undefined)[] = Array.from({ length: maxRecent }, () => undefined)
  /** Ordinal after the event of the last lookup. */
  let next = 0

  function findRecent(eventId: string, nth: number): TrackedEvent | undefined {
    const event = recent[nth % maxRecent]
    return event?.eventId === eventId ? event : undefined
  }

  function ofOrder(eventId: string): TrackedEvent | undefined {
    const { orderId } = ordering.events.get(eventId) ?? announcements.events.get(eventId) ?? {}
    const order = orderId === undefined ? undefined : orders.get(orderId)
    return order?.events.find((event) => event.eventId === eventId)
  }

  return {
    add(event) {
      recent[event.ordinal % maxRecent] = event
      if (event.order) return
      withoutOrder.set(event.eventId, event)
      if (++addedWithoutOrder > maxWithoutOrder) hasForgotten = true
    },
    get(eventId) {
      const nearby = findRecent(eventId, next) ?? findRecent(eventId, next - 1)
      const event = nearby ?? ofOrder(eventId) ?? withoutOrder.get(eventId)
      if (event) next = event.ordinal + 1
      return event
    },
    values: () => [...orders.values().flatMap(({ events }) => events), ...withoutOrder.values()],
    evictOldGeneration() {
      withoutOrder.evictOldGeneration()
      addedWithoutOrder = 0
    },
    hasEvicted: () => hasForgotten,
  }
}
