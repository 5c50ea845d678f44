/** The data that reporters format. */
import type { SourceLocation } from '../../../core/runtime/files/data-file.ts'
import type { Clause, Clauses } from '../../../core/protocol/clause.ts'
import type { SessionReport } from '../../page/session/report-content.ts'
import type { ScenarioFailure, ScenarioOutcome } from '../../../core/scenario/outcome.ts'
import type { Reporter } from '../reporters/reporter.ts'

/** A failure with its source location in the scenario. */
export interface LocatedFailure extends ScenarioFailure {
  readonly place?: SourceLocation
  /** The clauses of its verdict. */
  readonly clauses?: readonly Clause[]
}

/** In the order of a summary. */
export const runResults = ['passed', 'failed', 'inconclusive', 'skipped', 'stopped'] as const

export interface RunReport {
  readonly number: number
  readonly total: number
  readonly file: string
  readonly title: string
  readonly repetition: number
  readonly seed: number
  /** `stopped`: interrupted, without a result. `inconclusive`: nothing failed, and Sparring itself was late. */
  readonly result: (typeof runResults)[number]
  /** Why it is inconclusive, or was skipped or stopped. */
  readonly because?: string
  readonly outcome?: ScenarioOutcome
  readonly failures: readonly LocatedFailure[]
  /** Wall-clock time. */
  readonly tookMs: number
  /** The rerun command. */
  readonly again: string
  /** The first and the last lines of the subject's output, and where all of it is. */
  readonly output?: readonly string[]
  readonly hint?: string
  /** The session that was played, redacted; only where a report shows it. */
  readonly session?: SessionReport
}

export interface ScenarioReport {
  readonly version: string
  readonly runs: readonly RunReport[]
  readonly tookMs: number
  /** Why the remaining runs were not played. */
  readonly halted?: string
  readonly interrupted?: true
  /** Titles of runs with different results when repeated. */
  readonly unstable: readonly string[]
  /** What the clauses say that rules name. */
  readonly clauses?: Clauses
  readonly notSelected?: readonly NotSelected[]
}

/** Runs of the files that a flag left out. */
export interface NotSelected {
  readonly runs: number
  /** As in `5 runs without "x" in the title`. */
  readonly because: string
}

/** What a run that is no failure says nothing about, a sentence each. */
export const unexercisedTexts = ({ outcome }: Pick<RunReport, 'outcome'>): readonly string[] =>
  (outcome?.unexercised ?? []).map(({ because }) => because)

/** Results without a verdict about the subject. */
export const isUndecided = ({ result }: Pick<RunReport, 'result'>): boolean =>
  result === 'inconclusive' || result === 'skipped' || result === 'stopped'

export const countRuns = ({ runs }: ScenarioReport, result: RunReport['result']): number =>
  runs.filter((each) => each.result === result).length

/** `12 passed, 1 failed`; empty without runs. */
export const runCountsText = (report: ScenarioReport): string =>
  runResults
    .map((result) => [countRuns(report, result), result] as const)
    .filter(([count]) => count > 0)
    .map((parts) => parts.join(' '))
    .join(', ')

/** Called for each run, then with the whole report. */
export type RunReporter = Reporter<RunReport, ScenarioReport>
