/**
 * Events by their ids. Those of an order lie on the order, and the host knows whose they are: a map of all of them would
 * be a good part of what watching costs. They are asked for in the order in which they were emitted, poll by poll, so the
 * next one is found at a glance.
 */
import type { World } from '../../engine/world.ts'
import { createGenerations, type Remembered } from './generational-map.ts'
import type { EventWatch, OrderWatch } from './tracker-state.ts'

/** Those that may be found at a glance: so few that their orders cannot have been forgotten yet. */
const mostRecent = 1024
const mostStrays = 100_000

export interface Events extends Remembered<EventWatch> {
  /** One that was emitted, its order, if it has one, being known. */
  readonly keep: (event: EventWatch) => void
  /** Those of no order that have not been kept since the last time are forgotten. */
  readonly age: () => void
  /** Whether so many of no order came in one time that some are forgotten. */
  readonly hasForgotten: () => boolean
}

export function createEvents(
  { ordering, announcements }: World,
  orders: Remembered<OrderWatch>,
): Events {
  const strays = createGenerations<EventWatch>(mostStrays)
  let [came, hasForgotten] = [0, false]
  /** In a ring: each at the place of its number. */
  const recent: (EventWatch | undefined)[] = Array.from({ length: mostRecent }, () => undefined)
  /** One more than the number of the one that was asked for last. */
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
