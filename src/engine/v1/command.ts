/** Commands of V1: `handshake.…` at the host, `legacy.…` at the client. */
export type HandshakeAnswer = 'accept' | 'deny'

export type V1Command =
  /** The Ordering Application asks the merchant whether an order may be cancelled. */
  | {
      readonly kind: 'handshake.offer'
      readonly orderId: string
      readonly code?: string
      readonly reason?: string
    }
  /** The merchant answers that question. */
  | {
      readonly kind: 'handshake.answer'
      readonly orderId: string
      readonly answer: HandshakeAnswer
      readonly code?: string
      readonly reason?: string
    }
  /** Our Software Service answers such a question. */
  | {
      readonly kind: 'legacy.answer'
      readonly orderId: string
      readonly answer: HandshakeAnswer
      readonly code?: string
      readonly reason?: string
    }
