/** The runner of schedules, and the results that it gives. */
import type { BatchResult, ReplayResult, ScheduleResult } from '../schedules/result.ts'
import type { Schedule } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'

/** A schedule with its workload, as it is played in a batch. */
export interface BatchEntry {
  readonly schedule: Schedule
  /** As it is left by the trim of the schedule. */
  readonly workload: Workload
}

export interface BatchOptions {
  /** Aborts when the session is to end; it is judged by what was broken by then. */
  readonly early?: AbortSignal | undefined
  /** Called with what is known of a schedule as soon as it breaks a rule. */
  readonly onBroken?: ((result: ScheduleResult) => void) | undefined
  /** All rules that are asked about: the end need not be waited for once each schedule has broken one of them. */
  readonly rules?: readonly string[] | undefined
}

/** A play that may be asked for: of a batch, or with its attempt that of a kept scenario. */
export interface ExpectedPlay {
  readonly entries: readonly BatchEntry[]
  readonly attempt?: number | undefined
}

/** Runs schedules: over sockets, or in process. */
export interface ScheduleRunner {
  /** Plays schedules side by side in one session. */
  readonly play: (entries: readonly BatchEntry[], options?: BatchOptions) => Promise<BatchResult>
  /**
   * Plays the scenario that is kept of a schedule, as `sparring run` does; where `rule` is all that is asked about, its end
   * need not be waited for once it is broken.
   */
  readonly playAgain: (entry: BatchEntry, attempt: number, rule?: string) => Promise<ReplayResult>
  /** How many schedules run side by side in one session at most. */
  readonly width: () => number
  /** How many sessions run at the same time at most, each with a service of its own. */
  readonly sessions: () => number
  /** The same where each plays a single schedule again: as many, when absent. */
  readonly sessionsForOne?: () => number
  /**
   * Has played beforehand what is likely to be asked for, in this order; absent where nothing is. `isSoon`: before what was
   * expected already, in whose place others come otherwise.
   */
  readonly expect?: (plays: readonly ExpectedPlay[], isSoon?: boolean) => void
}
