/** The data that reporters format. */
import type { SourceLocation } from '../../../core/runtime/files/source-location.ts'
import type { Clause, Clauses } from '../../../core/protocol/clause.ts'
import type { SessionReport } from '../../page/session/report-content.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import {
  type ScenarioFailure,
  type ScenarioOutcome,
  unexercisedFailures,
  type UnexercisedClaim,
} from '../../../core/scenario/outcome.ts'
import type { Reporter } from '../reporters/reporter.ts'

/** A failure with its source location in the scenario. */
export interface LocatedFailure extends ScenarioFailure {
  readonly place?: SourceLocation
  /** The clauses of its verdict. */
  readonly clauses?: readonly Clause[]
}

/** A rule that a run names and did not exercise, with the location of its name. */
export interface LocatedRule extends UnexercisedClaim {
  readonly place?: SourceLocation
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
  /** The rules that the scenario names, and of which the run shows nothing. */
  readonly unexercised?: readonly LocatedRule[]
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

/** The run where each rule of its `tests` must have been exercised: otherwise it has failed. */
export function withClaimsRequired(run: RunReport): RunReport {
  const { result, failures } = run
  const unexercised = unexercisedFailures(run.unexercised ?? [])
  if (unexercised.length === 0 || (result !== 'passed' && result !== 'skipped')) return run
  return { ...run, result: 'failed', failures: [...failures, ...unexercised] }
}

type Unexercised = Pick<RunReport, 'unexercised' | 'failures'>

/** The rules that a run says nothing about, but those that have failed it. */
export const unsaidRules = ({ unexercised = [], failures }: Unexercised): readonly LocatedRule[] =>
  unexercised.filter((claim) => !failures.some(({ because }) => because === claim.because))

/** What a run says nothing about, a sentence each. */
export const unexercisedTexts = (run: Unexercised): readonly string[] =>
  unsaidRules(run).map(({ because }) => because)

/** `3 claims not exercised in 2 scenarios`; undefined where all were. Runs of one scenario count once. */
export function unexercisedCountText({ runs }: Pick<ScenarioReport, 'runs'>): string | undefined {
  const claims = runs.flatMap(({ file, unexercised = [] }) =>
    unexercised.flatMap(({ id, isClaimed }) => (isClaimed ? [[file, id] as const] : [])),
  )
  if (claims.length === 0) return undefined
  const rules = new Set(claims.map((claim) => claim.join('\n'))).size
  const files = new Set(claims.map(([file]) => file)).size
  return `${pluralise(rules, 'claim')} not exercised in ${pluralise(files, 'scenario')}`
}

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
