/** Applies the facts of V1. */
import { furtherStatus, v1StatusOfEvent } from '../../protocol/v1/events.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { V1Fact } from './fact.ts'
import { v1Bounds, type V1World } from './world.ts'

export function applyV1(world: V1World, fact: V1Fact): void {
  switch (fact.kind) {
    case 'handshake.offered':
      addBounded(world.handshakes, fact.orderId, v1Bounds.handshakes)
      return
    case 'handshake.answered':
      world.handshakes.delete(fact.orderId)
      return
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
