/** Faults that hold back calls about other orders as well: a partner limits the rate of a client, and revokes its token. */
import type { ScheduleResult } from './result.ts'
import { isSharedFault, type ScheduledFault } from './schedule.ts'

const coupling: ReadonlySet<string> = new Set(['rate-limit', 'unauthorized', 'token-outage'])
const maxCoupling = 4

/** Those of other schedules of a batch that fired; the first few of them. */
export const couplingFaults = (results: readonly ScheduleResult[]): readonly ScheduledFault[] =>
  results
    .flatMap(({ schedule, exercised }) =>
      schedule.faults.filter(
        (fault, index) => exercised[index] && coupling.has(fault.name) && !isSharedFault(fault),
      ),
    )
    .slice(0, maxCoupling)
