/** Report model of a comparison: two recordings, or a recording and its replay. */
import { compact } from '../../../core/base/compact.ts'
import {
  compareFailures,
  countFailures,
  type FailureCounts,
} from '../../../core/traffic/recording/failure-comparison.ts'
import { listFailures, worstFailure } from '../../minimise/failure-list.ts'
import type {
  ReplayedExchange,
  ReplayReport,
  FailureSignature,
} from '../../../core/traffic/recording/replay-report.ts'
import { exitCode, type ExitCode } from '../../../terminal/cli/exit-code.ts'
import { replayExitCode } from '../../minimise/failure-signature.ts'
import type { Reporter } from '../../../terminal/cli/reporters/reporter.ts'
import type { Comparison } from '../../difference/compare-recordings.ts'

export interface ComparisonReport extends Pick<Comparison, 'exchanges' | 'counts' | 'map'> {
  readonly first?: number
  /** Names of the recorded and the live side. */
  readonly left: string
  readonly right: string
  readonly exit: ExitCode
  readonly signature?: FailureSignature
  readonly version: string
  /** Two recordings only: exchanges without information (idle polls, token requests) that were left out. */
  readonly leftOut?: Comparison['leftOut']
  /** Replay only: the rest of its report. */
  readonly replay?: Omit<ReplayReport, 'exchanges' | 'counts' | 'map' | 'first' | 'recording'> & {
    /** What became of the failures of the recording, and the new ones, by kind. */
    readonly failures: FailureCounts
  }
}

/** One compared exchange, with its index in the report. */
export interface ComparedExchange {
  readonly index: number
  readonly replayed: ReplayedExchange
  readonly isFirst: boolean
  readonly report: ComparisonReport
}

/** Called for each exchange, then with the whole report. */
export type CompareReporter = Reporter<ComparedExchange, ComparisonReport>

export function reportOfRecordings(
  comparison: Comparison,
  names: { readonly left: string; readonly right: string; readonly version: string },
): ComparisonReport {
  const compared = { ...comparison, failedRules: [] }
  // What both recordings show is no difference between them.
  const signature = listFailures(compared).find(
    (each) => each.signature.kind === 'difference',
  )?.signature
  return { ...names, ...comparison, exit: replayExitCode(compared), ...compact({ signature }) }
}

/**
 * Exit codes: 0 same, 1 differs or rule failed, 3 unreachable or unauthorized, 4 not completed, 5 `unstable` (two
 * replays differ), 130 interrupted.
 */
export function reportOfReplay(
  report: ReplayReport,
  { version, unstable = false }: { readonly version: string; readonly unstable?: boolean },
): ComparisonReport {
  const { recording, exchanges, counts, map, first, ...replay } = report
  const exit = replayExitCode(report)
  const signature = worstFailure(listFailures(report))?.signature
  return {
    left: recording,
    right: 'live',
    version,
    exchanges,
    counts,
    map,
    ...compact({ first, signature }),
    exit: report.interrupted ? exitCode.interrupted : unstable ? exitCode.unstable : exit,
    replay: { ...replay, failures: countFailures(compareFailures(report)) },
  }
}
