/** State, reports and verdict of one invariant. */
import { compact } from '../../compact.ts'
import type { Invariant, InvariantReporter } from '../invariant.ts'
import {
  type Finding,
  maxFindings,
  type VerdictOutcome,
  type Verdict,
  toPlainEvidence,
} from '../verdict.ts'
import type { VerdictContext, TrackerState } from '../tracking/tracker-state.ts'

export interface InvariantState {
  readonly invariant: Invariant
  readonly state: unknown
  readonly report: InvariantReporter
  readonly tally: Tally
}

/** Counts and findings reported so far. */
interface Tally {
  premises: number
  broken: number
  readonly findings: Finding[]
  readonly told: Set<string>
}

/** Maximum number of deduplication keys; further keys are not deduplicated. */
const maxDeduplicationKeys = 10_000

function createReporter(tally: Tally, tracker: TrackerState, open: () => void): InvariantReporter {
  return {
    premise: () => void tally.premises++,
    broken({ because, evidence, orderId, deduplicationKey, advice }) {
      if (deduplicationKey !== undefined) {
        if (tally.told.has(deduplicationKey)) return
        if (tally.told.size < maxDeduplicationKeys) tally.told.add(deduplicationKey)
      }
      tally.broken++
      if (tally.findings.length >= maxFindings) return
      const slot = orderId === undefined ? undefined : tracker.orders.get(orderId)?.slot
      tally.findings.push({
        because,
        at: tracker.now,
        evidence: evidence.toSorted((one, other) => one.seq - other.seq).map(toPlainEvidence),
        ...compact({ orderId, slot }),
        ...(advice || tracker.hasRobustnessFault() ? { advice: true as const } : {}),
      })
    },
    open,
  }
}

const ignore = (): void => undefined

export function createInvariantState(invariant: Invariant, tracker: TrackerState): InvariantState {
  const tally: Tally = { premises: 0, broken: 0, findings: [], told: new Set() }
  const report = createReporter(tally, tracker, ignore)
  return { invariant, state: invariant.start(), report, tally }
}

/** Computes the verdict. Liveness is evaluated anew each time, on a copy of the counts. */
export function verdictOf(
  { invariant, state, tally }: InvariantState,
  tracker: VerdictContext,
): Verdict {
  let open = false
  const now: Tally = { ...tally, findings: [...tally.findings], told: new Set() }
  const report = createReporter(now, tracker, () => {
    open = true
  })
  invariant.end?.(state, tracker, report)
  const outcome: VerdictOutcome =
    now.broken > 0 ? 'broken' : open ? 'open' : now.premises > 0 ? 'held' : 'untested'
  const { id, name, sentence, kind, clauses, premise } = invariant
  return {
    id,
    name,
    sentence,
    kind,
    clauses,
    outcome,
    premises: now.premises,
    premise,
    broken: now.broken,
    findings: now.findings,
  }
}
