/** What the Ordering Application says of an order, in the words of the generation that is spoken. */
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { v1EventOf, type V1EventType } from '../../protocol/v1/events.ts'
import { v1Flags } from '../../protocol/v1/flags.ts'
import type { Settings } from '../settings.ts'

/** The event to emit where V2 would emit this one; none where V1 has no word for it, or the session declares none. */
export function spokenEvent(
  { fulfillment }: Order,
  type: OrderEventType,
  { conduct }: Settings,
): OrderEventType | V1EventType | undefined {
  if (conduct.unsupportedEvents.includes(type)) return undefined
  if (!speaksV1(conduct)) return type
  const profile = fulfillment.orderType
  return v1EventOf(type, profile, v1Flags(profile, conduct.v1))
}
