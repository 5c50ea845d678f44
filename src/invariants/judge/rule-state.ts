/** State, reports and verdict of one invariant. */
import { compact } from '../../compact.ts'
import type { Invariant, Tell } from '../invariant.ts'
import { type Finding, mostFindings, type Outcome, type Verdict, written } from '../verdict.ts'
import type { Present, Watch } from '../tracking/tracker-state.ts'

export interface Docket {
  readonly invariant: Invariant
  readonly state: unknown
  readonly tell: Tell
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

function createReporter(tally: Tally, tracker: Watch, open: () => void): Tell {
  return {
    premise: () => void tally.premises++,
    broken({ because, evidence, orderId, once: deduplicationKey, advice }) {
      if (deduplicationKey !== undefined) {
        if (tally.told.has(deduplicationKey)) return
        if (tally.told.size < maxDeduplicationKeys) tally.told.add(deduplicationKey)
      }
      tally.broken++
      if (tally.findings.length >= mostFindings) return
      const slot = orderId === undefined ? undefined : tracker.orders.get(orderId)?.slot
      tally.findings.push({
        because,
        at: tracker.now,
        evidence: evidence.toSorted((one, other) => one.seq - other.seq).map(written),
        ...compact({ orderId, slot }),
        ...(advice || tracker.robustness() ? { advice: true as const } : {}),
      })
    },
    open,
  }
}

const ignore = (): void => undefined

export function openDocket(invariant: Invariant, tracker: Watch): Docket {
  const tally: Tally = { premises: 0, broken: 0, findings: [], told: new Set() }
  const report = createReporter(tally, tracker, ignore)
  return { invariant, state: invariant.start(), tell: report, tally }
}

/** Computes the verdict. Liveness is evaluated anew each time, on a copy of the counts. */
export function verdictOf({ invariant, state, tally }: Docket, tracker: Present): Verdict {
  let open = false
  const now: Tally = { ...tally, findings: [...tally.findings], told: new Set() }
  const report = createReporter(now, tracker, () => {
    open = true
  })
  invariant.end?.(state, tracker, report)
  const outcome: Outcome =
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
