/** State, reports and verdict of one invariant. */
import { compact } from '../../../base/compact.ts'
import type { Invariant, InvariantReporter, Violation } from '../invariant.ts'
import {
  type Evidence,
  type Finding,
  maxFindings,
  maxLatestFindings,
  type VerdictOutcome,
  type Verdict,
  toPlainEvidence,
} from '../verdict.ts'
import type { VerdictContext, TrackerState } from '../tracking/tracker-state.ts'
import { durationText } from '../tracking/wording.ts'

export interface InvariantState {
  readonly invariant: Invariant
  readonly state: unknown
  readonly report: InvariantReporter
  readonly tally: Tally
  /** What the session lacks for it. */
  readonly missing: Pick<Verdict, 'needs' | 'alsoShownBy'>
}

/** Counts and findings reported so far. */
interface Tally {
  premises: number
  /** Whether a finding is advice because no clause forbids it. */
  hasOwnAdvice: boolean
  readonly violations: FindingList
  readonly inconclusive: FindingList
}

/** Findings of one kind, the first ones, and how many there were. */
interface FindingList {
  count: number
  readonly findings: Finding[]
  /** The latest ones after the first. */
  readonly latest: Finding[]
  /** Deduplication keys: a doubt does not hide the violation that follows it. */
  readonly reported: Set<string>
}

const createFindingList = (): FindingList => ({
  count: 0,
  findings: [],
  latest: [],
  reported: new Set(),
})

const copyOf = ({ count, findings, latest }: FindingList): FindingList => ({
  count,
  findings: [...findings],
  latest: [...latest],
  reported: new Set(),
})

const lagText = (ms: number): string =>
  `Sparring itself was ${durationText(ms)} late in that time, which may be the cause.`

/** Evidence in order, without gaps and duplicates. */
function collectEvidence(evidence: Violation['evidence']): readonly Evidence[] {
  const bySeq = new Map(evidence.flatMap((each) => (each ? [[each.seq, each] as const] : [])))
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq).map(toPlainEvidence)
}

/** Maximum number of deduplication keys; further keys are not deduplicated. */
const maxDeduplicationKeys = 10_000

function createReporter(tally: Tally, tracker: TrackerState, open: () => void): InvariantReporter {
  const reporter: InvariantReporter = {
    premise: () => void tally.premises++,
    failed(finding) {
      const { because, evidence, orderId, deduplicationKey = orderId, advice = false } = finding
      const { timing, clauses, remedy } = finding
      const isAdvice = advice || tracker.hasRobustnessFault()
      if (timing?.outcome === 'fine') return
      const lagMs = timing?.outcome === 'inconclusive' ? timing.lagMs : undefined
      const list = lagMs === undefined ? tally.violations : tally.inconclusive
      if (deduplicationKey !== undefined) {
        const key = `${isAdvice ? 'advice ' : ''}${deduplicationKey}`
        if (list.reported.has(key)) return
        if (list.reported.size < maxDeduplicationKeys) list.reported.add(key)
      }
      list.count++
      tally.hasOwnAdvice ||= advice
      // Advice makes room: a verdict with a violation has failed, whatever was advised before.
      const lastAdvice = isAdvice ? -1 : list.findings.findLastIndex((each) => each.advice)
      if (list.findings.length === maxFindings && lastAdvice >= 0)
        list.findings.splice(lastAdvice, 1)
      const isFirst = list.findings.length < maxFindings
      if (!isFirst && lagMs !== undefined) return
      if (list.latest.length >= maxLatestFindings) list.latest.shift()
      const slot = orderId === undefined ? undefined : tracker.orders.get(orderId)?.slot
      const kept = isFirst ? list.findings : list.latest
      kept.push({
        because: lagMs === undefined ? because : `${because} ${lagText(lagMs)}`,
        at: tracker.now,
        evidence: collectEvidence(evidence),
        ...compact({ orderId, slot, clauses, remedy, lagMs }),
        ...(isAdvice ? { advice: true as const } : {}),
      })
    },
    open,
    unjudged(because) {
      tally.inconclusive.count++
      tally.inconclusive.findings.push({ because, at: tracker.now, evidence: [], setting: true })
    },
    due(timing, finding) {
      if (timing.outcome === 'fine') open()
      else reporter.failed({ ...finding(), timing })
    },
  }
  return reporter
}

const ignore = (): void => undefined

export function createInvariantState(
  invariant: Invariant,
  tracker: TrackerState,
  missing: InvariantState['missing'] = {},
): InvariantState {
  const tally: Tally = {
    premises: 0,
    hasOwnAdvice: false,
    violations: createFindingList(),
    inconclusive: createFindingList(),
  }
  const report = createReporter(tally, tracker, ignore)
  return { invariant, state: invariant.start(), report, tally, missing }
}

function outcomeOf({ violations, inconclusive, premises }: Tally, isOpen: boolean): VerdictOutcome {
  if (violations.count > 0) return 'failed'
  if (inconclusive.count > 0) return 'inconclusive'
  return isOpen ? 'open' : premises > 0 ? 'passed' : 'not-exercised'
}

/** Computes the verdict. Liveness is evaluated anew each time, on a copy of the counts. */
export function verdictOf(
  { invariant, state, tally, missing }: InvariantState,
  tracker: VerdictContext,
): Verdict {
  let open = false
  const now: Tally = {
    premises: tally.premises,
    hasOwnAdvice: tally.hasOwnAdvice,
    violations: copyOf(tally.violations),
    inconclusive: copyOf(tally.inconclusive),
  }
  const report = createReporter(now, tracker, () => {
    open = true
  })
  invariant.end?.(state, tracker, report)
  const outcome = outcomeOf(now, open)
  const { id, name, sentence, kind, premise } = invariant
  const byWeight = (one: Finding, other: Finding): number =>
    Number(one.advice ?? false) - Number(other.advice ?? false)
  const findings = [...now.violations.findings.toSorted(byWeight), ...now.inconclusive.findings]
  const remedies = new Set(findings.map(({ remedy = invariant.remedy }) => remedy))
  return {
    id,
    name,
    sentence,
    remedy: remedies.size > 0 ? [...remedies].join(' ') : invariant.remedy,
    kind,
    clauses: [...new Set(findings.flatMap((each) => each.clauses ?? []).concat(invariant.clauses))],
    outcome,
    premises: now.premises,
    premise,
    violations: now.violations.count,
    inconclusive: now.inconclusive.count,
    findings: findings.slice(0, maxFindings),
    ...(outcome === 'not-exercised' ? missing : undefined),
    ...(now.hasOwnAdvice ? compact({ adviceMeaning: invariant.adviceMeaning }) : {}),
    ...(now.violations.latest.length > 0 ? { latest: now.violations.latest } : {}),
  }
}
