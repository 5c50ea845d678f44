/**
 * What the rules of a session have found in the traffic of a certification: problems of the clause that a rule is about,
 * beside those of its checks, or of the rule alone where it is about no clause of the report.
 */
import { invariants } from '../../core/rules/invariants/catalogue.ts'
import type { ClockMode } from '../../core/session-api/session-info.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import type { RecordedVerdict } from '../../core/traffic/recording/session-end.ts'
import type { Level } from '../../core/rules/checks/check.ts'
import type { Trace } from '../../core/rules/checks/trace.ts'

type Finding = RecordedVerdict['findings'][number]

const timingRules: ReadonlySet<string> = new Set(
  invariants.flatMap(({ id, kind }) => (kind === 'timing' ? [id] : [])),
)

/** A clock that jumps does not tell how long a service has waited: then nothing is said of its pauses. */
export const certainRules = (
  verdicts: readonly RecordedVerdict[],
  clock: ClockMode,
): readonly RecordedVerdict[] =>
  clock === 'real' ? verdicts : verdicts.filter(({ id }) => !timingRules.has(id))

/** The rules of a recording. */
export const rulesOfRecording = ({
  header,
  end,
}: Pick<RecordingContent, 'header' | 'end'>): readonly RecordedVerdict[] =>
  certainRules(end?.verdicts ?? [], header._rec.clock?.mode ?? 'real')

/** What a rule has found: once, with how often. */
interface RuleProblem {
  readonly text: string
  readonly exchanges: readonly number[]
  readonly isNotice?: true
  readonly times?: number
}

/** A rule that failed. */
export interface ViolatedRule extends RecordedVerdict {
  readonly problems: readonly RuleProblem[]
  /** The clause of the report that it fails; its own id where there is none. */
  readonly clause: string
}

/** Exchanges of a problem at most. */
const maxExchanges = 10

/** Whether a service is to blame for what was found: by these exchanges. */
type IsBlamed = (evidence: readonly number[]) => boolean

const isCertain =
  (isBlamed: IsBlamed) =>
  ({ evidence, lagMs }: Finding): boolean =>
    lagMs === undefined && evidence.length > 0 && isBlamed(evidence)

function problemsOf(
  { outcome, findings, id, sentence }: RecordedVerdict,
  isBlamed: IsBlamed,
): readonly RuleProblem[] {
  const found = outcome === 'failed' ? findings.filter(isCertain(isBlamed)) : []
  const first = found.find(({ advice }) => advice !== true) ?? found[0]
  if (!first) return []
  return [
    {
      text: `${first.because} ${id}: ${sentence}`,
      exchanges: first.evidence.slice(0, maxExchanges),
      ...(first.advice ? { isNotice: true } : {}),
      ...(found.length > 1 ? { times: found.length } : {}),
    },
  ]
}

/**
 * The rules that failed by what a service is to blame for: each fails the first clause of its list, or the first MUST of it
 * where that one does not bind the service.
 */
export function violatedRulesIn(
  { rules = [], speaks, beginsAnew }: Trace,
  /** Without the calls that are wrong on purpose. */
  { all }: Trace,
  judged: readonly { readonly clauses: readonly string[]; readonly level: Level }[],
): readonly ViolatedRule[] {
  const blamed = new Set(all.map(({ exchange }) => exchange.seq))
  // What was before a new beginning a service may have forgotten; in it our manifests are of no use.
  const isAcross = (first: number, last: number): boolean =>
    beginsAnew.some(({ from, to }) => last > from && first <= to)
  const isBlamed = (evidence: readonly number[]): boolean =>
    evidence.every((seq) => blamed.has(seq)) &&
    !isAcross(Math.min(...evidence), Math.max(...evidence))
  // The clauses are those of V2: in V1 a rule stands for itself.
  const isJudged = (clause: string, index: number): boolean =>
    speaks !== 'v1' &&
    judged.some((each) => each.clauses.includes(clause) && (index === 0 || each.level === 'MUST'))
  return rules
    .map((rule) => ({
      ...rule,
      problems: problemsOf(rule, isBlamed),
      clause: rule.clauses.find(isJudged) ?? rule.id,
    }))
    .filter(({ problems }) => problems.length > 0)
}
