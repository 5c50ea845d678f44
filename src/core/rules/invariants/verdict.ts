/**
 * Verdicts of invariants, their findings and the evidence: types for screens, reporters, the control API and the
 * library.
 */
import type { Instant } from '../../engine/instant.ts'
import type { FeatureSwitch } from '../../protocol/operation.ts'

/** One exchange as evidence: a line to read and the number by which the exchange is found again. */
export interface Evidence {
  /** Number of the exchange in the traffic and in a recording. */
  readonly seq: number
  /** Start of the exchange, in session time. */
  readonly at: Instant
  /** `12:00:03.120  SS > OA  POST /orders/o_1/confirm  202`. */
  readonly line: string
}

/** Copies evidence into a plain object, which can be serialised. Its line may be a getter that formats on first use. */
export const toPlainEvidence = ({ seq, at, line }: Evidence): Evidence => ({ seq, at, line })

/** One violation of an invariant. */
export interface Finding {
  /** A complete sentence, understandable without context. */
  readonly because: string
  readonly at: Instant
  readonly orderId?: string
  /** The order's slot: `o2` is the second order of the session. */
  readonly slot?: string
  /** The exchanges that show the violation, in order. */
  readonly evidence: readonly Evidence[]
  /** Clauses that it breaks more than the others of its rule, whose verdict names them first. */
  readonly clauses?: readonly string[]
  /** What to do, where the remedy of the rule says less. */
  readonly remedy?: string
  /** Found under a fault that no correct partner produces, or against no clause: advice, not a failure. */
  readonly advice?: true
  /**
   * Sparring itself was so many milliseconds late in that time, which may be the cause: the finding is inconclusive, and
   * no violation.
   */
  readonly lagMs?: number
  /** It is about a setting that could not be used: inconclusive, and no word about the service. */
  readonly setting?: true
}

const exchangesOf = (finding: Finding | undefined): string =>
  finding?.evidence.map(({ seq }) => seq).join() ?? ''

/** Findings to be listed: those about the same exchanges, one after the other, show them once, behind the last. */
export const withEvidenceOnce = (findings: readonly Finding[]): readonly Finding[] =>
  findings.map((finding, index) =>
    exchangesOf(finding) === exchangesOf(findings[index + 1])
      ? { ...finding, evidence: [] }
      : finding,
  )

/** Safety must hold at all times, liveness in the end, timing while no faults are active. */
export type InvariantKind = 'safety' | 'liveness' | 'timing'

/**
 * `passed`: the premise occurred and nothing was violated. `not-exercised`: the premise never occurred. `open`: a required
 * action is missing, and its deadline has not passed. `inconclusive`: a time limit was not kept while Sparring itself was
 * so late that this may be the cause; no failure.
 */
export const verdictOutcomes = [
  'failed',
  'inconclusive',
  'passed',
  'open',
  'not-exercised',
] as const
export type VerdictOutcome = (typeof verdictOutcomes)[number]

/** The outcome as text. */
export const outcomeLabel = (outcome: VerdictOutcome): string => outcome.replaceAll('-', ' ')

/** Id of the rule that compares traffic with the user's own OpenAPI documents; it comes from no clause. */
export const contractRuleId = 'CONTRACT'

/** A capability, a setting by which the service shows what no exchange does, or one by which the partner asks for more. */
export type RuleNeed = FeatureSwitch | (typeof neededSettings)[number]
export const neededSettings = ['subject.probe', 'subject.effects', 'conduct.confirmWithin'] as const

/** What a rule says of itself, in each of its verdicts too. */
export interface RuleDescription {
  /** Short id from the study's catalogue: `SE-1`. */
  readonly id: string
  /** File name without extension: `one-effect-per-purpose`. */
  readonly name: string
  /**
   * The requirement as one sentence: "Must acknowledge every event …". Its subject is the service, which it does not
   * name.
   */
  readonly sentence: string
  /** What the author of a service that fails should do, as an instruction of one sentence. */
  readonly remedy: string
  readonly kind: InvariantKind
  /** Clauses of the protocol that it comes from; none for a contract of the user. */
  readonly clauses: readonly string[]
  /** Condition under which it applies, as a clause: "an order is cancelled while …". */
  readonly premise: string
}

export interface Verdict extends RuleDescription {
  readonly outcome: VerdictOutcome
  /** How often the premise occurred. */
  readonly premises: number
  /** Number of violations; `findings` holds only the first of them. */
  readonly violations: number
  /** Number of inconclusive findings, which follow the violations in `findings`. */
  readonly inconclusive: number
  readonly findings: readonly Finding[]
  /** The latest violations, when there are more than `findings` holds: what is in sight now is marked by them. */
  readonly latest?: readonly Finding[]
  /** Of a rule that was not exercised: what the session lacks for it, any one of these. */
  readonly needs?: readonly RuleNeed[]
  /** Of a rule that was not exercised: id of the one that shows the same by other means. */
  readonly alsoShownBy?: string
  /** Why its advice is no failure, where that is not because of the faults in force. */
  readonly adviceMeaning?: string
  /** Id of the failed invariant that failed first, where this one shows the same mistake. */
  readonly follows?: string
}

/** No violation: Sparring itself was late, or a setting could not be used. */
export const isInconclusive = ({ lagMs, setting }: Pick<Finding, 'lagMs' | 'setting'>): boolean =>
  lagMs !== undefined || setting === true

/** Why a rule says nothing about the service, as one sentence; undefined where it was exercised. */
export function notExercisedText(id: string, verdicts: readonly Verdict[]): string | undefined {
  const verdict = verdicts.find((each) => each.id === id)
  const looked = verdicts.filter((each) => each === verdict || each.id === verdict?.alsoShownBy)
  if (looked.some(({ premises, findings }) => premises > 0 || findings.length > 0)) return undefined
  const why = !verdict
    ? 'it does not apply to your service'
    : verdict.needs
      ? `it needs ${verdict.needs.join(' or ')}`
      : `it is checked when ${verdict.premise}`
  return `${id} not exercised: ${why}`
}

/** A violation under conditions that a correct partner may cause: neither advice nor inconclusive. */
export const isViolation = (finding: Finding): boolean =>
  !finding.advice && !isInconclusive(finding)

export const isFailedVerdict = ({ outcome, findings }: Verdict): boolean =>
  outcome === 'failed' && findings.some(isViolation)

/** All violations are advice. */
export const isAdviceVerdict = (verdict: Verdict): boolean =>
  verdict.outcome === 'failed' && !isFailedVerdict(verdict)

/** What is shown of a verdict: `failed`, or `advice` where no violation is among what was found. */
export const verdictLabel = (verdict: Verdict): string =>
  isAdviceVerdict(verdict) ? 'advice' : outcomeLabel(verdict.outcome)

/** An inconclusive finding that is not only advice, and no violation. */
export const isInconclusiveVerdict = (verdict: Verdict): boolean =>
  !isFailedVerdict(verdict) &&
  verdict.findings.some((finding) => isInconclusive(finding) && !finding.advice)

/** A verdict for each finding that counts as one failure of its own: those of a contract say different things. */
export function verdictsByFinding(
  verdict: Verdict,
  wanted: (finding: Finding) => boolean,
): readonly Verdict[] {
  if (verdict.id !== contractRuleId) return [verdict]
  return verdict.findings
    .filter(wanted)
    .map((finding) => ({ ...verdict, findings: [finding], violations: 1 }))
}

/** Why the advice of a rule is no failure. */
export const adviceMeaningOf = ({ adviceMeaning }: Verdict): string =>
  adviceMeaning ?? 'only under a fault that no correct partner makes'

/** Maximum number of findings kept per invariant. */
export const maxFindings = 20
/** Maximum number of latest violations kept beside them. */
export const maxLatestFindings = 40

/**
 * The verdicts with those that follow a first cause right behind it; one whose cause is not among them stands alone.
 */
export function groupedByCause(verdicts: readonly Verdict[]): readonly Verdict[] {
  const ids = new Set(verdicts.map(({ id }) => id))
  const isFollower = ({ follows }: Verdict): boolean => follows !== undefined && ids.has(follows)
  return verdicts
    .filter((verdict) => !isFollower(verdict))
    .flatMap((cause) => [cause, ...verdicts.filter(({ follows }) => follows === cause.id)])
}
