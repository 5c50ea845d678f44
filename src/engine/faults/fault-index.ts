/** The faults in force by the order that they name, so that a message is matched only against those that may be about it. */
import type { ActiveFault } from './fault.ts'
import type { FaultPoint } from './fault-point.ts'
import { carriedEventsOf } from './point-label.ts'
import type { FaultsWorld } from './world.ts'

/** The key of faults that name no order. */
const anyOrder = ''

export function addLiveFault({ live, liveByOrder }: FaultsWorld, fault: ActiveFault): void {
  live.set(fault.id, fault)
  const key = fault.anchor.order ?? anyOrder
  liveByOrder.set(key, [...(liveByOrder.get(key) ?? []), fault.id])
}

export function removeLiveFault({ live, liveByOrder }: FaultsWorld, fault: ActiveFault): void {
  live.delete(fault.id)
  const key = fault.anchor.order ?? anyOrder
  const left = (liveByOrder.get(key) ?? []).filter((id) => id !== fault.id)
  if (left.length > 0) liveByOrder.set(key, left)
  else liveByOrder.delete(key)
}

/** The orders that faults name, by id or slot. */
export const ordersOfFaults = ({ liveByOrder }: FaultsWorld): readonly string[] =>
  [...liveByOrder.keys()].filter((key) => key !== anyOrder)

/** The faults that name one of these orders, by id or slot, and those that name no order; oldest first. */
function liveFaultsAbout(
  { live, liveByOrder, slotByOrder }: FaultsWorld,
  orderIds: readonly (string | undefined)[],
): readonly ActiveFault[] {
  if (live.size === 0) return []
  const keys = new Set([anyOrder])
  for (const orderId of orderIds) {
    if (orderId === undefined) continue
    keys.add(orderId)
    const slot = slotByOrder.get(orderId)
    if (slot !== undefined) keys.add(slot)
  }
  const ids = [...keys].flatMap((key) => liveByOrder.get(key) ?? [])
  return ids.sort((one, other) => one - other).flatMap((id) => live.get(id) ?? [])
}

/** Whether this holds for a fault that names the order, by id or slot, or for one that names no order. */
export function isAnyFaultAbout(
  { live, liveByOrder, slotByOrder }: FaultsWorld,
  orderId: string | undefined,
  holds: (fault: ActiveFault) => boolean,
): boolean {
  const slot = orderId === undefined ? undefined : slotByOrder.get(orderId)
  for (const key of [anyOrder, orderId, slot])
    for (const id of (key === undefined ? undefined : liveByOrder.get(key)) ?? []) {
      const fault = live.get(id)
      if (fault && holds(fault)) return true
    }
  return false
}

/** The faults that may be about a message, or about one of the events that it carries; oldest first. */
export const candidateFaults = (faults: FaultsWorld, meeting: FaultPoint): readonly ActiveFault[] =>
  liveFaultsAbout(faults, [
    meeting.orderId,
    ...carriedEventsOf(meeting).map(({ orderId }) => orderId),
  ])
