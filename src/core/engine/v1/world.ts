/** State of V1; empty in a V2 session. */
import type { OrderStatus } from '../../protocol/orders/order.ts'

/** A V1 event received by our Software Service. */
export interface V1EventRef {
  readonly orderId: string
  readonly eventType: string
}

export interface V1World {
  /** Orders whose merchant was asked about a cancellation and has not answered. */
  readonly handshakes: Set<string>
  /** Received events by event id: an acknowledgment repeats them. */
  readonly heard: Map<string, V1EventRef>
  /** Status of each order as derived from events: V1 has no status to read. */
  readonly believed: Map<string, OrderStatus>
}

export const createV1World = (): V1World => ({
  handshakes: new Set(),
  heard: new Map(),
  believed: new Map(),
})

export const v1Bounds = { handshakes: 10_000, heard: 50_000, believed: 50_000 } as const
