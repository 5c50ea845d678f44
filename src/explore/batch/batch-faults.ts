/** The faults of a batch: added to its session for the orders of their schedules, shared ones once. */
import type { Session } from '../../core/session-api/session.ts'
import {
  faultSpecOf,
  isSharedFault,
  type Schedule,
  scheduledFaultText,
  type ScheduledFault,
} from '../schedules/schedule.ts'
import type { BatchOrders } from './batch-orders.ts'

export interface BatchFaults {
  /** Adds the faults of a schedule to the session. */
  readonly add: (schedule: Schedule, entry: number) => void
  /** By the id that it has in the session. */
  readonly faultOf: (id: number) => ScheduledFault | undefined
  /** The fault that was added for this one: shared faults are the same in all schedules of a batch. */
  readonly addedFor: (fault: ScheduledFault) => ScheduledFault
}

export function createBatchFaults(
  session: Pick<Session, 'faults'>,
  sessionSlotOf: BatchOrders['sessionSlotOf'],
): BatchFaults {
  const shared = new Map<string, ScheduledFault>()
  const byId = new Map<number, ScheduledFault>()
  return {
    add({ faults }, entry) {
      for (const fault of faults) {
        if (isSharedFault(fault)) {
          const text = scheduledFaultText(fault)
          if (shared.has(text)) continue
          shared.set(text, fault)
        }
        const spec = faultSpecOf(fault, (slot) => sessionSlotOf(entry, slot) ?? slot)
        for (const { id } of session.faults.add(spec)) byId.set(id, fault)
      }
    },
    faultOf: (id) => byId.get(id),
    addedFor: (fault) => shared.get(scheduledFaultText(fault)) ?? fault,
  }
}
