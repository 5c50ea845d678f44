/** The event types of all capabilities, in every notation in which a partner may send them. */
import { customerEventTypeOf, customerEventTypes } from './customer/events.ts'
import { accountEventTypes } from './indoor/events.ts'
import { deliveryEventNames, eventVocabularies, readDeliveryEventName } from './logistics/events.ts'
import { loyaltyEventTypes } from './loyalty/events.ts'
import { orderEventTypes } from './orders/events.ts'
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
