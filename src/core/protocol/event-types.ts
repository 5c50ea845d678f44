/**
 * The event types of all capabilities, in every notation in which a partner may send them, and what an event is about.
 */
import { customerEventTypeOf, customerEventTypes } from './customer/events.ts'
import { accountEventTypes } from './indoor/events.ts'
import { deliveryEventNames, eventVocabularies, readDeliveryEventName } from './logistics/events.ts'
import { loyaltyEventTypes } from './loyalty/events.ts'
import { orderEventTypes } from './orders/events.ts'
import { isUnknownRecord, type UnknownRecord } from './unknown-record.ts'
import { v1EventTypes } from './v1/events.ts'

export const eventTypes: readonly string[] = [
  ...new Set([
    ...orderEventTypes,
    ...v1EventTypes,
    ...accountEventTypes,
    ...eventVocabularies.flatMap(deliveryEventNames),
    ...customerEventTypes,
    ...loyaltyEventTypes,
  ]),
]

/** Whether an event type is in the catalogue, or begins with X_, as types outside the catalogue do. */
export const isKnownEventType = (type: string): boolean =>
  type.startsWith('X_') ||
  eventTypes.includes(type) ||
  customerEventTypeOf(type) !== undefined ||
  readDeliveryEventName(type) !== undefined

/** Members that say what an event is about, with the word for it; names and documents of people are none of them. */
const subjects = [
  ['customerId', 'customer'],
  ['leadId', 'lead'],
  ['reviewId', 'review'],
  ['accountId', 'account'],
  ['deliveryId', 'delivery'],
] as const

const filled = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The type of an event, from its body, and what it is about: `ACCOUNT_OPENED TABLE 7`; undefined for no event. */
export function eventTitle(body: unknown): string | undefined {
  if (!isUnknownRecord(body)) return undefined
  const event = isUnknownRecord(body['event']) ? body['event'] : body
  const { eventType, operationMode, identifier } = event
  if (!filled(eventType)) return undefined
  if (filled(operationMode) && filled(identifier))
    return `${eventType} ${operationMode} ${identifier}`
  const places: readonly UnknownRecord[] = [event, event['payload'], event['data']].filter(
    isUnknownRecord,
  )
  for (const [member, word] of subjects)
    for (const { [member]: id } of places) if (filled(id)) return `${eventType} ${word} ${id}`
  return eventType
}
