/** Which events of an order were handed over. */
import type { EventChannel } from '../emitted-event.ts'
import type { World } from '../world.ts'
import type { FaultsWorld } from './world.ts'

const channels: readonly EventChannel[] = ['polling', 'webhook']

/** Ids of the events of an order that were handed over, on any channel; undefined where nothing is remembered of it. */
export function handedOverIds(
  { handedOver }: FaultsWorld,
  orderId: string,
): readonly string[] | undefined {
  const lists = channels.flatMap((channel) => {
    const ids = handedOver[channel].get(orderId)
    return ids ? [ids] : []
  })
  return lists.length < 2 ? lists[0] : lists.flat()
}

/** Whether an event of this type of an order was handed over, on this channel or on any. */
export function wasHandedOver(
  { faults, ordering, announcements }: World,
  orderId: string,
  type: string,
  channel?: EventChannel,
): boolean {
  const typeOf = (eventId: string): string | undefined =>
    (ordering.events.get(eventId) ?? announcements.events.get(eventId))?.eventType
  const ids =
    channel === undefined ? handedOverIds(faults, orderId) : faults.handedOver[channel].get(orderId)
  return ids?.some((eventId) => typeOf(eventId) === type) === true
}
