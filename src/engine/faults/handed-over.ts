/** Which events of an order were handed over. */
import type { World } from '../world.ts'

/** Whether an event of this type of an order was handed over. */
export function wasHandedOver(
  { faults, ordering, announcements }: World,
  orderId: string,
  type: string,
): boolean {
  const typeOf = (eventId: string): string | undefined =>
    (ordering.events.get(eventId) ?? announcements.events.get(eventId))?.eventType
  return faults.handedOver.get(orderId)?.some((eventId) => typeOf(eventId) === type) === true
}
