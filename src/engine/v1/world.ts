/** What a session that speaks V1 keeps besides; empty in one that speaks V2. */
import type { OrderStatus } from '../../protocol/orders/order.ts'

/** A V1 event that our Software Service has heard of. */
export interface V1Heard {
  readonly orderId: string
  readonly eventType: string
}

export interface V1World {
  /** Orders whose merchant was asked whether they may be cancelled, and has not answered. */
  readonly handshakes: Set<string>
  /** What our Software Service heard, by event id: an acknowledgment repeats it. */
  readonly heard: Map<string, V1Heard>
  /** How far it believes each order to be: V1 has no status to read. */
  readonly believed: Map<string, OrderStatus>
}

export const createV1World = (): V1World => ({
  handshakes: new Set(),
  heard: new Map(),
  believed: new Map(),
})

export const v1Bounds = { handshakes: 10_000, heard: 50_000, believed: 50_000 } as const
