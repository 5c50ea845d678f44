/** Where a run is played: in this process without a subject, or against a subject that we start or that is running. */
import type { ScenarioOutcome } from '../../../core/scenario/outcome.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { PlannedRun } from './plan.ts'

export interface RunHooks {
  /** Receives the current step as one line of text. */
  readonly onStep: (text: string) => void
  /** Aborts on interruption. */
  readonly enough: AbortSignal
  /** Called with the session that was played, before it is closed. */
  readonly onPlayed: (session: Pick<SessionApi, 'look'>, outcome: ScenarioOutcome) => Promise<void>
}

export type EnvironmentResult =
  | {
      readonly kind: 'played'
      readonly outcome: ScenarioOutcome
      /** The first and the last lines of the subject's output, and where all of it is. */
      readonly output?: readonly string[] | undefined
      /** Another possible cause of the failure, as a sentence. */
      readonly hint?: string | undefined
    }
  /** No further run can be played: the subject is unreachable or rejects us. */
  | {
      readonly kind: 'halted'
      readonly because: string
      readonly remedy: string
      readonly output?: readonly string[] | undefined
    }

export type RunEnvironment = (planned: PlannedRun, watching: RunHooks) => Promise<EnvironmentResult>
