/** A schedule with its workload, as it is played in a batch. */
import type { Schedule } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'

export interface BatchEntry {
  readonly schedule: Schedule
  /** As it is left by the trim of the schedule. */
  readonly workload: Workload
}
