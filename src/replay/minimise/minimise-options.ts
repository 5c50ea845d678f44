/** Options, stages and result of minimising a recording, and the parts of it that are tried. */
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'

/** A part of a recording, possibly simplified. */
export interface RecordingPart {
  /** The exchanges that are left of those that drive a replay, by `recordId`; their environment comes with them. */
  readonly kept: ReadonlySet<string>
  /** Polls and acknowledgments are narrowed to the events of these lanes; all when absent. */
  readonly lanes?: ReadonlySet<string>
  /** The exchanges of the environment that are left; all when absent. */
  readonly answers?: ReadonlySet<string>
  /** The exchanges that are kept without the crash at them. */
  readonly spared?: ReadonlySet<string>
  /** Only causes are awaited, not recorded time. */
  readonly asap: boolean
  /** The longest pause where recorded time is awaited, in ms; as recorded when absent. */
  readonly maxGapMs?: number
  /** Shrunk bodies of the partner's requests or replies, by `recordId`. */
  readonly bodies: ReadonlyMap<string, string>
}

export type PartPace = Pick<RecordingPart, 'asap' | 'maxGapMs'>

/**
 * `fail`: the same failure, by its signature. `pass`: no failure. `unresolved`: not completed, or another failure; that
 * proves nothing, so the part is not accepted.
 */
export type TrialOutcome = 'fail' | 'pass' | 'unresolved'

export type Attempt = (part: RecordingPart) => Promise<TrialOutcome>

export interface Budget {
  /** Maximum number of replays, including those that confirm the failure. */
  readonly replays: number
  /** Asked before replays that only simplify bodies. */
  readonly isLate?: () => boolean
  /** Asked before each replay: time limit or interruption. Results so far are kept. */
  readonly isOver: () => boolean
}

export const minimiseStages = [
  'confirm',
  'cut',
  'slice',
  'times',
  'lanes',
  'faults',
  'handovers',
  'exchanges',
  'shortcuts',
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
  /** Of the exchanges of faults, those that stay without their crash. */
  readonly spareable?: ReadonlySet<string>
  /** Driving exchanges that hand events over as a matter of course; they are left out all at once, or not at all. */
  readonly plainDrives?: ReadonlySet<string>
  /**
   * The recording itself shows the failure: small parts are tried before the whole is replayed. Otherwise the whole was
   * replayed once, and failed.
   */
  readonly isRecorded?: boolean
  /**
   * Of a failure that the recording shows: `slices` tries the failing lane and those near it alone, `whole` begins with a
   * replay of the whole; slices first, then the whole when absent.
   */
  readonly scope?: 'slices' | 'whole'
  /** The pace from the beginning; that of the recording when absent. */
  readonly pace?: PartPace
  /** Pauses of the failing lane are no longer than this, in ms: longer ones are tried without. */
  readonly shortGapMs?: number
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
