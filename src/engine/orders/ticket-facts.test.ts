import { expect, test } from 'vitest'
import { createWorld, worldBounds } from '../world.ts'
import { applyTicket } from './ticket-facts.ts'

test('[ORD-EVR-06] orders that can never be read are given up, and the oldest evicted once there are too many', () => {
  const { store } = createWorld()
  const max = worldBounds.ticketsClosed
  for (let index = 0; index < max + 10; index++) {
    const orderId = `o-${index}`
    const heard = { orderId, eventId: `e-${index}`, eventType: 'CREATED' }
    applyTicket(store, { kind: 'ticket.announced', ...heard, channel: 'webhook' }, index)
    applyTicket(store, { kind: 'ticket.stuck', orderId }, index)
  }
  expect(store.tickets.size).toBe(max)
  expect(store.tickets.has('o-9')).toBe(false)
  expect(store.tickets.has('o-10')).toBe(true)
})
