/**
 * What a campaign says about each rule that binds the role of the service: the rows of documents such as JUnit and
 * SARIF.
 */
import type { BrokenRule } from '../../schedules/broken-rule.ts'
import { crashRule, type ReportedRule } from '../../batch/crash.ts'
import { invariants } from '../../../core/rules/invariants/catalogue.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { type Clauses, clauseWithPlace } from '../../../core/protocol/clause.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { evidenceLines, indented } from '../../../terminal/cli/reporters/rule-lines.ts'
import { keptTexts, reproducerTexts, statusWords } from '../../campaign/campaign-text.ts'
import { countsAsFailure } from '../../investigation/bucket.ts'
import type { ExploreReport, ReportedBucket } from '../explore-report.ts'

/** A rule that is broken without any fault, or by a crash in a batch that no schedule of it explains. */
export interface SteadyFailure {
  /** The workloads that break it; none where it is not known. */
  readonly workloads: readonly string[]
  /** In the first of them. */
  readonly failure: BrokenRule
}

export interface RuleResult {
  readonly rule: ReportedRule
  /** The premise occurred so often. */
  readonly premises: number
  /** Absent where a bucket of the rule needs no fault: it says more. */
  readonly steady: SteadyFailure | undefined
  /** Failures. */
  readonly found: readonly ReportedBucket[]
  /** They depend on time, and did not fail again or were not played again: no failures. */
  readonly suspected: readonly ReportedBucket[]
  /** Why nothing certain is known, as sentences. */
  readonly doubts: readonly string[]
}

/** A long list in one line: the first ones, and how many more there are. */
export function boundedText(texts: readonly string[], max: number): string {
  const more = texts.length > max ? ` and ${texts.length - max} more` : ''
  return `${texts.slice(0, max).join(', ')}${more}`
}

/** Workloads that are named. */
const maxWorkloads = 3

const isWithoutFaults = ({ bucket }: ReportedBucket): boolean => bucket.schedule.faults.length === 0

/** One for each rule. */
export function steadyFailuresOf({
  state,
}: Pick<ExploreReport, 'state'>): readonly SteadyFailure[] {
  const byRule = Map.groupBy(state.steadyFailures, ([, { rule }]) => rule)
  return [...byRule.values()].flatMap((entries) => {
    const [first] = entries
    if (!first) return []
    const [, failure] = first
    return [{ workloads: entries.map(([key]) => key.slice(failure.rule.length + 1)), failure }]
  })
}

/** `without faults, in delivery, takeout and 3 more: …`. */
export const steadyText = ({ workloads, failure }: SteadyFailure): string =>
  workloads.length === 0
    ? `with several schedules side by side, and with none of them alone: ${failure.because}`
    : `without faults, in ${boundedText(workloads, maxWorkloads)}: ${failure.because}`

function doubtsOf(
  { state }: ExploreReport,
  id: string,
  suspected: readonly ReportedBucket[],
): readonly string[] {
  const late = state.inconclusive.get(id) ?? 0
  const shared = state.unattributed.get(id) ?? 0
  return [
    ...suspected.map(({ bucket }) => `${statusWords[bucket.status]}: ${bucket.failure.because}`),
    ...(late > 0
      ? [`inconclusive in ${pluralise(late, 'schedule')}: Sparring itself was late in that time`]
      : []),
    ...(shared > 0
      ? [`broken in ${pluralise(shared, 'batch')} of schedules, and by none of them alone`]
      : []),
  ]
}

/** A crash that is in no bucket. */
function crashOf({ state, buckets }: ExploreReport): readonly SteadyFailure[] {
  const failure = state.crash()
  const isKnown = buckets.some(({ bucket }) => bucket.rule === crashRule.id)
  return failure && !isKnown ? [{ workloads: [], failure }] : []
}

/** In the order of the catalogue; a crash is the last. */
export function ruleResults(report: ExploreReport): readonly RuleResult[] {
  const { state, subject } = report
  const failures = [...crashOf(report), ...steadyFailuresOf(report)]
  const steady = new Map(failures.map((each) => [each.failure.rule, each]))
  const buckets = Map.groupBy(report.buckets, ({ bucket }) => bucket.rule)
  const rules = [...invariants.filter(({ binds }) => binds.includes(subject)), crashRule]
  return rules.map((rule) => {
    const { id } = rule
    const own = buckets.get(id) ?? []
    const suspected = own.filter(({ bucket }) => !countsAsFailure(bucket))
    return {
      rule,
      premises: state.premises.get(id) ?? 0,
      steady: own.some(isWithoutFaults) ? undefined : steady.get(id),
      found: own.filter(({ bucket }) => countsAsFailure(bucket)),
      suspected,
      doubts: doubtsOf(report, id, suspected),
    }
  })
}

/** The clauses of all buckets, by id. */
export const reportedClauses = ({ buckets }: ExploreReport): Clauses =>
  new Map(buckets.flatMap(({ clauses }) => clauses.map((clause) => [clause.id, clause])))

const asLines = (texts: readonly string[]): readonly string[] =>
  texts.map((each) => escapeControls(each))

/** The last lines that the service wrote. */
export const outputLines = (output: BrokenRule['output'] = []): readonly string[] =>
  asLines(output).map((line) => `| ${line}`)

/**
 * A bucket as plain text, without a heading: what was broken, its smallest reproducer, the command that plays it again.
 * The paragraph says why, how certain it is, and what to do.
 */
export function bucketLines(reported: ReportedBucket): readonly string[] {
  const { bucket, sentence, clauses, paragraph } = reported
  const { failure, alsoBroken, trace, hits, runsToFind } = bucket
  const [workload = '', ...faults] = asLines(reproducerTexts(bucket))
  return [
    escapeControls(paragraph),
    ...indented([...evidenceLines(failure.evidence), ...outputLines(failure.output)]),
    ...(trace === '' ? [] : [`  ${escapeControls(trace)}`]),
    `under ${workload}`,
    ...indented(faults),
    `${pluralise(hits, 'schedule')} failed with it, the first after ${pluralise(runsToFind, 'run')}`,
    ...(alsoBroken.length === 0 ? [] : [`with it ${alsoBroken.join(', ')}`]),
    sentence,
    ...clauses.map((clause) => `${clause.id}  ${clauseWithPlace(clause)}`),
    ...asLines(keptTexts(reported)),
  ]
}
