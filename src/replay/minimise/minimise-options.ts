/** Options, stages and result of minimising a recording. */
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { Attempt, Budget, RecordingPart } from './trial.ts'

export const minimiseStages = [
  'confirm',
  'cut',
  'slice',
  'lanes',
  'faults',
  'handovers',
  'exchanges',
  'shortcuts',
  'times',
  'answers',
  'payload',
  'verify',
] as const
export type MinimiseStageName = (typeof minimiseStages)[number]

/** How often something failed, and how often it was tried. */
export interface FailureCount {
  readonly fails: number
  readonly of: number
}

export interface MinimiseStage {
  readonly stage: MinimiseStageName
  /** Number of exchanges before and after the stage. */
  readonly before: number
  readonly after: number
  readonly replays: number
}

export interface MinimiseOptions {
  /** In the order in which requests began. */
  readonly exchanges: readonly RecordedExchange[]
  /**
   * `recordId` of the exchange where the failure shows first. It is kept, unless the failure concerns no single
   * exchange.
   */
  readonly culprit: string
  readonly culpritMayGo?: boolean
  /** The lane that the failure belongs to; all of the culprit when absent. A batch is about several. */
  readonly ownLane?: string
  readonly causes: (recordId: string) => readonly Cause[]
  /** What an exchange is about: orders or other entities; none for exchanges of the session. */
  readonly lanesOf: (exchange: RecordedExchange) => readonly string[]
  /** Exchanges that a replay sends or decides. The others come with them, as long as what they come of is kept. */
  readonly drives: ReadonlySet<string>
  /** The body that may be shrunk: the partner's; the subject's is only compared. */
  readonly mayShrink?: (exchange: RecordedExchange) => string | undefined
  readonly attempt: Attempt
  /** The exchanges of the environment that the last failing attempt asked for. */
  readonly usedAnswers?: () => ReadonlySet<string>
  /** Of the environment these alone matter, where no answer is taken from the recording. */
  readonly neededAnswers?: ReadonlySet<string>
  /**
   * Faults of a replay by decisions, each by the driving exchanges that show it and nothing else. A failure that needs none
   * of them, or few, is to be shown so.
   */
  readonly faults?: readonly ReadonlySet<string>[]
  /** Driving exchanges that hand events over as a matter of course; they are left out all at once, or not at all. */
  readonly plainDrives?: ReadonlySet<string>
  /**
   * The recording itself shows the failure: small parts are tried before the whole is replayed. Otherwise the whole was
   * replayed once, and failed.
   */
  readonly isRecorded?: boolean
  /** Only causes are awaited from the beginning. */
  readonly asap?: boolean
  /** How many replays run at once; one when absent. Results are taken in the order of the search. */
  readonly parallel?: () => number
  readonly budget: Budget
  /** Called after each stage. */
  readonly onStage?: (stage: MinimiseStage) => void
}

export interface MinimiseResult {
  /** `does not fail` and `unstable`: it never failed, or too seldom, and the part is the whole recording. */
  readonly verdict: 'minimal' | 'best so far' | 'does not fail' | 'unstable'
  readonly part: RecordingPart
  /** In how many of how many replays the whole recording failed; absent when it was not replayed. */
  readonly confirmed?: FailureCount
  /** In how many of how many replays the part failed at the end. */
  readonly verified?: FailureCount
  readonly replays: number
  readonly stages: readonly MinimiseStage[]
}
