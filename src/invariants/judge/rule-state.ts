/** What one invariant has come to: its state, what it has told, and the verdict that follows from both. */
import type { Invariant, Tell } from '../invariant.ts'
import { type Finding, mostFindings, type Outcome, type Verdict, written } from '../verdict.ts'
import type { Present, Watch } from '../tracking/tracker-state.ts'

export interface Docket {
  readonly invariant: Invariant
  readonly state: unknown
  readonly tell: Tell
  readonly tally: Tally
}

/** What it has told. */
interface Tally {
  premises: number
  broken: number
  readonly findings: Finding[]
  readonly told: Set<string>
}

/** What has been told once is remembered so often; then it may be told again. */
const mostTold = 10_000

function tellOf(tally: Tally, watch: Watch, open: () => void): Tell {
  return {
    premise: () => void tally.premises++,
    broken({ because, evidence, orderId, once, advice }) {
      if (once !== undefined) {
        if (tally.told.has(once)) return
        if (tally.told.size < mostTold) tally.told.add(once)
      }
      tally.broken++
      if (tally.findings.length >= mostFindings) return
      const slot = orderId === undefined ? undefined : watch.orders.get(orderId)?.slot
      tally.findings.push({
        because,
        at: watch.now,
        evidence: evidence.toSorted((one, other) => one.seq - other.seq).map(written),
        ...(orderId === undefined ? {} : { orderId }),
        ...(slot === undefined ? {} : { slot }),
        ...(advice || watch.robustness() ? { advice: true as const } : {}),
      })
    },
    open,
  }
}

const ignore = (): void => undefined

export function openDocket(invariant: Invariant, watch: Watch): Docket {
  const tally: Tally = { premises: 0, broken: 0, findings: [], told: new Set() }
  const tell = tellOf(tally, watch, ignore)
  return { invariant, state: invariant.start(), tell, tally }
}

/** Told anew each time: what must come in the end is a question of this moment. */
export function verdictOf({ invariant, state, tally }: Docket, watch: Present): Verdict {
  let open = false
  const now: Tally = { ...tally, findings: [...tally.findings], told: new Set() }
  const tell = tellOf(now, watch, () => {
    open = true
  })
  invariant.end?.(state, watch, tell)
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
