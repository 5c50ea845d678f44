/**
 * Faults that hold back calls about other orders as well: a partner limits the rate of a client, and revokes its token.
 */
import { hasTrait } from '../schedules/fault-traits.ts'
import type { ScheduleResult } from '../schedules/result.ts'
import { isSharedFault, type ScheduledFault } from '../schedules/schedule.ts'

const maxCoupling = 4

/** Those of other schedules of a batch that fired; the first few of them. */
export const couplingFaults = (results: readonly ScheduleResult[]): readonly ScheduledFault[] =>
  results
    .flatMap(({ schedule, exercised }) =>
      schedule.faults.filter(
        (fault, index) =>
          exercised[index] && hasTrait(fault, 'client-wide') && !isSharedFault(fault),
      ),
    )
    .slice(0, maxCoupling)
