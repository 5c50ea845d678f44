/**
 * Events by id. An order's events are stored on the order, and the host knows the order of an event: a map of all
 * events would be a large part of the memory. Lookups follow the order of emission, poll by poll, so the next event is
 * tried first.
 */
import type { World } from '../../engine/world.ts'
import { createGenerations, type Remembered } from './generational-map.ts'
import type { EventWatch, OrderWatch } from './tracker-state.ts'

/** Size of the ring of recent events: small enough that their orders cannot have been evicted. */
const mostRecent = 1024
const mostStrays = 100_000

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
  const strays = createGenerations<EventWatch>(mostStrays)
  let [came, hasForgotten] = [0, false]
  /** Ring buffer, indexed by ordinal. */
  const recent: (EventWatch | undefined)[] = Array.from({ length: mostRecent }, () => undefined)
  /** Ordinal after the event of the last lookup. */
  let next = 0

  function glance(eventId: string, nth: number): EventWatch | undefined {
    const event = recent[nth % mostRecent]
    return event?.eventId === eventId ? event : undefined
  }

  function ofOrder(eventId: string): EventWatch | undefined {
    const { orderId } = ordering.events.get(eventId) ?? announcements.events.get(eventId) ?? {}
    const order = orderId === undefined ? undefined : orders.get(orderId)
    return order?.events.find((event) => event.eventId === eventId)
  }

  return {
    keep(event) {
      recent[event.nth % mostRecent] = event
      if (event.order) return
      strays.keep(event.eventId, event)
      if (++came > mostStrays) hasForgotten = true
    },
    get(eventId) {
      const near = glance(eventId, next) ?? glance(eventId, next - 1)
      const event = near ?? ofOrder(eventId) ?? strays.get(eventId)
      if (event) next = event.nth + 1
      return event
    },
    values: () => [...orders.values().flatMap(({ events }) => events), ...strays.values()],
    age() {
      strays.age()
      came = 0
    },
    hasForgotten: () => hasForgotten,
  }
}
