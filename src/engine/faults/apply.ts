/** Applies facts about faults; also assigns order slots and counts handovers. */
import { assertNever } from '../../protocol/result.ts'
import { setBounded } from '../bounded.ts'
import type { EventChannel } from '../emitted-event.ts'
import type { Instant } from '../instant.ts'
import type { ActiveFault } from './fault.ts'
import type { FaultFact } from './fact.ts'
import { updatedTally, tallyOf } from './match.ts'
import { faultBounds, type FaultsWorld } from './world.ts'

function retire(world: FaultsWorld, fault: ActiveFault, over: NonNullable<ActiveFault['over']>) {
  world.live.delete(fault.id)
  setBounded(world.over, fault.id, { ...fault, over }, faultBounds.over)
}

function count(world: FaultsWorld, keys: readonly string[], at: Instant, fired: boolean): void {
  for (const key of keys)
    setBounded(
      world.tallies,
      key,
      updatedTally(tallyOf(world, key), at, fired),
      faultBounds.tallies,
    )
}

export function applyFault(world: FaultsWorld, fact: FaultFact, at: Instant): void {
  switch (fact.kind) {
    case 'fault.added':
      world.live.set(fact.fault.id, fact.fault)
      world.nextId = Math.max(world.nextId, fact.fault.id + 1)
      return
    case 'fault.removed': {
      const fault = world.live.get(fact.id)
      if (fault) retire(world, fault, fact.because)
      return
    }
    case 'fault.fired': {
      count(world, fact.keys, at, true)
      const fault = world.live.get(fact.id)
      if (!fault) return
      const fired = { ...fault, fired: fault.fired + 1 }
      if (fired.limit !== undefined && fired.fired >= fired.limit) retire(world, fired, 'spent')
      else world.live.set(fact.id, fired)
      return
    }
    case 'fault.passed':
      return count(world, fact.keys, at, false)
    case 'fault.ended':
      world.endedAt = at
      return
    default:
      return assertNever(fact)
  }
}

/** Gives an order its slot when first seen. */
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
