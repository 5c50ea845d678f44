/** An event of the protocol as the journal holds it, and the channels that hand it over. */
import type { OrderEventType } from '../protocol/orders/events.ts'
import type { V1EventType } from '../protocol/v1/events.ts'
import type { Chance } from './chance.ts'
import { digestOf } from './digest.ts'

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

/**
 * The last eight digits of an event's id are a checksum of the digits before, so that an id of an earlier session is known
 * as one: a service may acknowledge late what it received before its partner was started again.
 */
const checksumAt = 28
const checksumLength = 8

const checksumOf = (random: string): string => digestOf(random).slice(0, checksumLength)

/** A version 4 UUID for an event. */
export function newEventId(chance: Chance): string {
  const random = chance.uuid().slice(0, checksumAt)
  return random + checksumOf(random)
}

/** Whether any session made this id for an event. */
export const isEventIdOfAnySession = (id: string): boolean =>
  id.length === checksumAt + checksumLength &&
  id.slice(checksumAt) === checksumOf(id.slice(0, checksumAt))
