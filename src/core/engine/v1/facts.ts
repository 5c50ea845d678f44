/** Facts of V1: `handshake.…` at the host, `legacy.…` at the client. */
import { furtherStatus, v1StatusOfEvent } from '../../protocol/v1/events.ts'
import { addBounded, setBounded } from '../bounded.ts'
import { factRow } from '../fact-row.ts'
import type { HandshakeAnswer } from './commands.ts'
import { v1Bounds } from './world.ts'

export const v1Facts = {
  /** The Ordering Application asked the merchant whether the order may be cancelled. */
  'handshake.offered': factRow<{ orderId: string; code: string }>({
    text: ({ code }) => `SS is asked whether the order may be cancelled: ${code}`,
    apply: ({ v1 }, { orderId }) => addBounded(v1.handshakes, orderId, v1Bounds.handshakes),
  }),
  /** The merchant answered. */
  'handshake.answered': factRow<{ orderId: string; answer: HandshakeAnswer }>({
    text: ({ answer }) => `SS has answered about cancelling: ${answer}`,
    apply({ v1, ordering }, { orderId, answer }) {
      v1.handshakes.delete(orderId)
      const record = ordering.orders.get(orderId)
      // From then on the order makes no further step but its cancellation.
      if (record && answer === 'accept')
        ordering.orders.set(orderId, { ...record, cancellation: 'accept' })
    },
  }),
  /** Our Software Service received a V1 event about an order. */
  'legacy.heard': factRow<{ orderId: string; eventId: string; eventType: string }>({
    text: ({ eventType }) => `SS keeps ${eventType} of V1`,
    apply({ v1 }, { orderId, eventId, eventType }) {
      setBounded(v1.heard, eventId, { orderId, eventType }, v1Bounds.heard)
      const status = furtherStatus(v1.believed.get(orderId), v1StatusOfEvent(eventType))
      if (status) setBounded(v1.believed, orderId, status, v1Bounds.believed)
    },
  }),
}
