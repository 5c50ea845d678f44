/** Results of a replay: of each exchange, and as a report. */
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from './recorded-exchange.ts'
import type { NameConflict, RenamedIdentifier } from './binding.ts'
import type { Difference } from './difference.ts'
import type { Standing } from './standing.ts'
import type { RecordingContent } from './content.ts'

/** The match strategies by which a recorded exchange was found, best first. */
export type MatchStrategy =
  | 'exact'
  /** Same operation, entity and version; the body differs. */
  | 'body'
  /** All such exchanges are used and the version is the same: the last one is repeated. */
  | 'repeat'
  /** An identifier was unknown and is now bound to a recorded one. */
  | 'bound'
  /** The recorded call has another version: changes are missing, or it comes late. */
  | 'ahead'
  /** Answered by our state machine. */
  | 'synth'
  /** Answered by the partner, to which it was passed on. */
  | 'forward'
  | 'miss'

export interface ReplayedExchange {
  readonly standing: Standing
  /** The recorded exchange; absent for `extra`. */
  readonly recorded?: RecordedExchange
  /** The live exchange, with live identifiers. */
  readonly live?: Exchange
  /** The live exchange with recorded identifiers and times, as `differences` compare it. */
  readonly renamed?: Exchange
  readonly differences: readonly Difference[]
  /** One sentence, where the differences do not say it. */
  readonly because?: string
  /** The match strategy, where we answered from the recording. */
  readonly strategy?: MatchStrategy
  /** Intended and actual send time, in milliseconds on the replay's clock. */
  readonly intendedAt?: number
  readonly sentAt?: number
}

/** Accuracy of send times; all in milliseconds. */
export interface ReplayTiming {
  readonly sends: number
  readonly perSecond: number
  readonly lateness: { readonly p50: number; readonly p99: number; readonly most: number }
  /** From the intended start to the reply, so that queueing counts. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly most: number }
  /** Share of time in which this process was busy, 0 to 1. */
  readonly busy?: number
  /** One sentence, when the timing is unreliable: whether the service or this machine was too slow. */
  readonly distrust?: string
}

export const driverNames = ['server', 'client', 'partner'] as const
/**
 * What is played from the recording: the server side, the client side, or our state machine with the recorded
 * decisions.
 */
export type DriverName = (typeof driverNames)[number]

/** A rule that failed for an order, or for none. */
export interface FailedRule {
  readonly invariant: string
  readonly because: string
  readonly orderId?: string
  /** It limits a rate or a duration, so a replay at another pace may fail it where the recording does not. */
  readonly isTiming?: true
}

export interface ReplayReport {
  /** File or name. */
  readonly recording: string
  readonly driver: DriverName
  readonly seed: number
  /** In the order of the recording; `extra` ones where they happened. */
  readonly exchanges: readonly ReplayedExchange[]
  /** Index in `exchanges` of the first difference beyond noise. */
  readonly first?: number
  readonly counts: Readonly<Partial<Record<Standing, number>>>
  readonly strategies: Readonly<Partial<Record<MatchStrategy, number>>>
  /** Recorded exchanges that were not used, by `recordId`. */
  readonly unused: readonly string[]
  readonly conflicts: readonly NameConflict[]
  /** Recorded and live identifiers, as they were learned. */
  readonly map: readonly RenamedIdentifier[]
  readonly failedRules: readonly FailedRule[]
  /** What differs from a contract, and is not the service's doing. */
  readonly advice?: readonly FailedRule[]
  readonly timing?: ReplayTiming
  /** Recorded ids of orders that had to be generated, because the recording does not hold their content. */
  readonly guessed?: readonly string[]
  readonly interrupted?: boolean
}

/**
 * Identifies a failure, so that a search for its cause does not drift to another one. Without what varies between
 * replays: orders are named by their recorded ids. An optional member that is absent matches anything.
 */
export type FailureSignature =
  | {
      readonly kind: 'difference'
      readonly operation: string
      readonly standing: Standing
      /** Pointer to the first difference, with list positions as `*`. */
      readonly where: string
      /** How it differs there, as far as replays of one service agree: `larger`, `missing 1`. */
      readonly change?: string
      /** `recordId` of the recorded exchange that differs; of another one it is another failure. */
      readonly exchange?: string
      /** First digit of the status; 0 without a reply. */
      readonly statusClass: number
      readonly order?: string
    }
  | { readonly kind: 'invariant'; readonly name: string; readonly order?: string }
  | {
      /** A call was rejected, with a status from 400 on. Two statuses of one class are the same failure. */
      readonly kind: 'answer'
      readonly operation: string
      readonly status: number
      /** Who rejected it; the subject when absent. */
      readonly by?: 'subject' | 'partner'
      /** The type of the event that it handed over. */
      readonly event?: string
      /** Code of the error, else the first line of it, without ids and numbers. */
      readonly error?: string
      readonly order?: string
      /** The last event about the order before that; absent before the first. */
      readonly state?: string
    }
  /** The subject made a call that changes the state more than once with success. */
  | { readonly kind: 'repeat'; readonly operation: string; readonly order: string }
  | {
      /** An order ended differently on both sides. */
      readonly kind: 'ending'
      readonly order: string
      /** The last event that announced a status of it. */
      readonly state: string
      /** The subject's call after that; absent where it left the order unfinished. */
      readonly call?: string
    }

/** Share of calls that were answered as recorded, from 0 to 1; undefined without calls. */
export function replayAccuracy({
  strategies,
}: Pick<ReplayReport, 'strategies'>): number | undefined {
  const all = Object.values(strategies).reduce((sum, count) => sum + count, 0)
  const { exact = 0, bound = 0, repeat = 0 } = strategies
  return all === 0 ? undefined : (exact + bound + repeat) / all
}

/** A recording as the report of a replay that went exactly as recorded, for the failures that it shows. */
export const recordedReport = ({ exchanges, file }: RecordingContent): ReplayReport => ({
  recording: file,
  driver: 'client',
  seed: 0,
  exchanges: exchanges.map((recorded) => ({
    standing: 'same',
    recorded,
    live: recorded,
    differences: [],
  })),
  counts: {},
  strategies: {},
  unused: [],
  conflicts: [],
  map: [],
  failedRules: [],
})
