/**
 * The faults in force by the order that they name, so that a message is matched only against those that may be about
 * it.
 */
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

/** The keys of faults that name an order, and of those that name none. */
const keysAbout = ({ slotByOrder }: FaultsWorld, orderId: string | undefined): readonly string[] =>
  [anyOrder, orderId, orderId === undefined ? undefined : slotByOrder.get(orderId)].filter(
    (key) => key !== undefined,
  )

/** The faults that name one of these orders, by id or slot, and those that name no order; oldest first. */
function liveFaultsAbout(
  faults: FaultsWorld,
  orderIds: readonly (string | undefined)[],
): readonly ActiveFault[] {
  const { live, liveByOrder } = faults
  if (live.size === 0) return []
  const keys = new Set(orderIds.flatMap((orderId) => keysAbout(faults, orderId)))
  const ids = [...keys].flatMap((key) => liveByOrder.get(key) ?? [])
  return ids.sort((one, other) => one - other).flatMap((id) => live.get(id) ?? [])
}

/** Whether this holds for a fault that names the order, by id or slot, or for one that names no order. */
export const isAnyFaultAbout = (
  faults: FaultsWorld,
  orderId: string | undefined,
  holds: (fault: ActiveFault) => boolean,
): boolean =>
  keysAbout(faults, orderId).some((key) =>
    faults.liveByOrder.get(key)?.some((id) => {
      const fault = faults.live.get(id)
      return fault !== undefined && holds(fault)
    }),
  )

/** The faults that may be about a message, or about one of the events that it carries; oldest first. */
export const candidateFaults = (faults: FaultsWorld, meeting: FaultPoint): readonly ActiveFault[] =>
  liveFaultsAbout(faults, [
    meeting.orderId,
    ...carriedEventsOf(meeting).map(({ orderId }) => orderId),
  ])
