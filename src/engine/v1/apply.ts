/** Applies the facts of V1. */
import { furtherStatus, v1StatusOfEvent } from '../../protocol/v1/events.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { V1Fact } from './fact.ts'
import type { World } from '../world.ts'
import { v1Bounds } from './world.ts'

export function applyV1({ v1: world, ordering }: World, fact: V1Fact): void {
  switch (fact.kind) {
    case 'handshake.offered':
      addBounded(world.handshakes, fact.orderId, v1Bounds.handshakes)
      return
    case 'handshake.answered': {
      const { orderId, answer } = fact
      world.handshakes.delete(orderId)
      const record = ordering.orders.get(orderId)
      // From then on the order makes no further step but its cancellation.
      if (record && answer === 'accept')
        ordering.orders.set(orderId, { ...record, cancellation: 'accept' })
      return
    }
    case 'legacy.heard': {
      const { orderId, eventId, eventType } = fact
      setBounded(world.heard, eventId, { orderId, eventType }, v1Bounds.heard)
      const status = furtherStatus(world.believed.get(orderId), v1StatusOfEvent(eventType))
      if (status) setBounded(world.believed, orderId, status, v1Bounds.believed)
      return
    }
    default:
      return assertNever(fact)
  }
}
