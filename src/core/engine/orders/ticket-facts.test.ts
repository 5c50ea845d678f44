import { expect, test } from 'vitest'
import { apply } from '../fact.ts'
import { createWorld, worldBounds } from '../world.ts'

test('[ORD-EVR-06] orders that can never be read are given up, and the oldest evicted once there are too many', () => {
  const world = createWorld()
  const { store } = world
  const max = worldBounds.ticketsClosed
  for (let index = 0; index < max + 10; index++) {
    const orderId = `o-${index}`
    const heard = { orderId, eventId: `e-${index}`, eventType: 'CREATED' }
    apply(world, { kind: 'ticket.announced', ...heard, channel: 'webhook' }, index)
    apply(world, { kind: 'ticket.stuck', orderId }, index)
  }
  expect(store.tickets.size).toBe(max)
  expect(store.tickets.has('o-9')).toBe(false)
  expect(store.tickets.has('o-10')).toBe(true)
})
