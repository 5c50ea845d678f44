/**
 * Assigns order slots, and counts handovers and the messages that a fault matches: by the latter it knows the nth one, a
 * burst, and the end of a retry chain.
 */
import { setBounded } from '../bounded.ts'
import type { EventChannel } from '../emitted-event.ts'
import { faultBounds, type FaultsWorld, type Tally } from './world.ts'

/** A retry chain has ended after a pause this many times as long as its longest gap. */
const chainBreakFactor = 2.5
const minGapMs = 2000
/** Assumed gap between the first and second attempt, for a caller that waits for a timeout. */
const firstGapMs = 8000

const emptyTally: Tally = { seen: 0, fired: 0, firedInRow: 0, last: 0, gap: 0, chains: 0 }

export const tallyOf = ({ tallies }: FaultsWorld, key: string): Tally =>
  tallies.get(key) ?? emptyTally

export function endsChain({ seen, last, gap }: Tally, now: number): boolean {
  const expectedGapMs = seen === 1 ? firstGapMs : Math.max(gap, minGapMs)
  return seen > 0 && now - last > chainBreakFactor * expectedGapMs
}

/** The tally after one more message. */
export function updatedTally(before: Tally, now: number, fired: boolean): Tally {
  const isNew = endsChain(before, now)
  return {
    seen: before.seen + 1,
    fired: before.fired + (fired ? 1 : 0),
    firedInRow: fired ? before.firedInRow + 1 : 0,
    last: now,
    gap: before.seen === 0 || isNew ? before.gap : Math.max(before.gap, now - before.last),
    chains: before.chains + (isNew ? 1 : 0),
  }
}

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
