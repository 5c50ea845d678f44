/** Maps an event type to the protocol generation in use. */
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { v1EventTypeFor, type V1EventType } from '../../protocol/v1/events.ts'
import { v1FlagsOf } from '../../protocol/v1/flags.ts'
import type { Settings } from '../settings.ts'

/** The type to emit for a V2 event; undefined when V1 has no such type, or the session declares it unsupported. */
export function eventTypeInDialect(
  { fulfillment }: Order,
  type: OrderEventType,
  { conduct }: Settings,
): OrderEventType | V1EventType | undefined {
  if (conduct.unsupportedEvents.includes(type)) return undefined
  if (!speaksV1(conduct)) return type
  const profile = fulfillment.orderType
  return v1EventTypeFor(type, profile, v1FlagsOf(profile, conduct.v1))
}
