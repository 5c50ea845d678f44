/** Facts of V1: `handshake.…` at the host, `legacy.…` at the client. */
import type { HandshakeAnswer } from './command.ts'

export type V1Fact =
  /** The Ordering Application asked the merchant whether the order may be cancelled. */
  | { readonly kind: 'handshake.offered'; readonly orderId: string; readonly code: string }
  /** The merchant answered. */
  | {
      readonly kind: 'handshake.answered'
      readonly orderId: string
      readonly answer: HandshakeAnswer
    }
  /** Our Software Service received a V1 event about an order. */
  | {
      readonly kind: 'legacy.heard'
      readonly orderId: string
      readonly eventId: string
      readonly eventType: string
    }
