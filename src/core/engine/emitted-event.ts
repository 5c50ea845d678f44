/** An event of the protocol as the journal holds it, and the channels that hand it over. */
import type { OrderEventType } from '../protocol/orders/events.ts'
import type { V1EventType } from '../protocol/v1/events.ts'

/** An event type unknown to the protocol. */
export type UnknownEventType = `X_${string}`

/** An event as emitted by the Ordering Application; its URL is added at handover. */
export interface EmittedEvent {
  readonly eventId: string
  readonly eventType: OrderEventType | V1EventType | UnknownEventType
  readonly orderId: string
  readonly merchantId: string
  readonly createdAt: string
  readonly sourceAppId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Fields unknown to the protocol, added by hand. */
  readonly more?: Readonly<Record<string, unknown>>
}

export type EventChannel = 'polling' | 'webhook'
