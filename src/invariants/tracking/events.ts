/**
 * Events by id. An order's events are stored on the order, and the host knows the order of an event: a map of all
 * events would be a large part of the memory. Lookups follow the order of emission, poll by poll, so the next event is
 * tried first.
 */
import type { World } from '../../engine/world.ts'
import { createGenerations, type Remembered } from './generational-map.ts'
import type { EventWatch, OrderWatch } from './tracker-state.ts'

/** Size of the ring of recent events: small enough that their orders cannot have been evicted. */
const maxRecent = 1024
const maxWithoutOrder = 100_000

export interface Events extends Remembered<EventWatch> {
  /** Adds an event; its order, if any, must be tracked already. */
  readonly keep: (event: EventWatch) => void
  /** Evicts events without an order that were not set since the last call. */
  readonly age: () => void
  /** Whether events without an order were evicted. */
  readonly hasForgotten: () => boolean
}

export function createEvents(
  { ordering, announcements }: World,
  orders: Remembered<OrderWatch>,
): Events {
  const withoutOrder = createGenerations<EventWatch>(maxWithoutOrder)
  let [addedWithoutOrder, hasForgotten] = [0, false]
  /** Ring buffer, indexed by ordinal. */
  const recent: (EventWatch | undefined)[] = Array.from({ length: maxRecent }, () => undefined)
  /** Ordinal after the event of the last lookup. */
  let next = 0

  function findRecent(eventId: string, nth: number): EventWatch | undefined {
    const event = recent[nth % maxRecent]
    return event?.eventId === eventId ? event : undefined
  }

  function ofOrder(eventId: string): EventWatch | undefined {
    const { orderId } = ordering.events.get(eventId) ?? announcements.events.get(eventId) ?? {}
    const order = orderId === undefined ? undefined : orders.get(orderId)
    return order?.events.find((event) => event.eventId === eventId)
  }

  return {
    keep(event) {
      recent[event.nth % maxRecent] = event
      if (event.order) return
      withoutOrder.keep(event.eventId, event)
      if (++addedWithoutOrder > maxWithoutOrder) hasForgotten = true
    },
    get(eventId) {
      const nearby = findRecent(eventId, next) ?? findRecent(eventId, next - 1)
      const event = nearby ?? ofOrder(eventId) ?? withoutOrder.get(eventId)
      if (event) next = event.nth + 1
      return event
    },
    values: () => [...orders.values().flatMap(({ events }) => events), ...withoutOrder.values()],
    age() {
      withoutOrder.age()
      addedWithoutOrder = 0
    },
    hasForgotten: () => hasForgotten,
  }
}
