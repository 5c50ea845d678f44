/** Assigns order slots, and counts handovers. */
import { setBounded } from '../bounded.ts'
import type { EventChannel } from '../emitted-event.ts'
import { faultBounds, type FaultsWorld } from './world.ts'

/** Gives an order its slot when it first occurs. */
export function assignOrderSlot(world: FaultsWorld, orderId: string): void {
  if (world.slotByOrder.has(orderId)) return
  const slot = `o${world.nextSlot++}`
  setBounded(world.slotByOrder, orderId, slot, faultBounds.orders)
  setBounded(world.orderBySlot, slot, orderId, faultBounds.orders)
}

/** Counts an event that is handed over: a webhook that was accepted, or an event put into the mailbox for polls. */
export function recordHandover(
  world: FaultsWorld,
  { eventId, orderId }: { readonly eventId: string; readonly orderId?: string },
  channel: EventChannel,
): void {
  const handedOver = world.handedOver[channel]
  const before = orderId === undefined ? [] : (handedOver.get(orderId) ?? [])
  if (before.includes(eventId)) return
  world.handovers[channel]++
  if (orderId === undefined || before.length >= faultBounds.handed) return
  // A spread leaves spare capacity that is never used: over many orders that adds up.
  setBounded(handedOver, orderId, before.concat(eventId), faultBounds.orders)
}
