/** The failure that a search keeps to: found in a first replay, looked for in every other one. */
import type { Party } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { differenceOf, signatureOf } from '../replay/signature.ts'
import type { Replayed, ReplayReport, Signature } from '../replay/status.ts'
import type { Outcome } from './trial.ts'

export interface Failure {
  readonly signature: Signature
  /** The recorded exchange where it shows, by `recordId`. */
  readonly culprit: string
}

const isSubject = ({ party }: Party): boolean => party === 'subject'

const operationOf = ({ recorded, live }: Replayed): string =>
  (recorded ?? live)?.operation ?? 'unknown'

/** What the subject answered now to a call of the other side. */
const statusOf = ({ recorded, live }: Replayed): number => {
  const called = recorded ?? live
  return called && isSubject(called.to) ? (live?.reply?.status ?? 0) : 0
}

const same = (a: Signature, b: Signature): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The recorded exchange at this place of the report, or the last one before it. */
function recordedAt({ exchanges }: ReplayReport, place: number): RecordedExchange | undefined {
  for (let at = place; at >= 0; at--) {
    const recorded = exchanges[at]?.recorded
    if (recorded) return recorded
  }
  return exchanges.find(({ recorded }) => recorded)?.recorded
}

/** The last that the recording has of an order of this replay. */
function lastOf(report: ReplayReport, orderId: string | undefined): RecordedExchange | undefined {
  const old = report.map.find((name) => name.new === orderId)?.old ?? orderId
  const own = report.exchanges.findLast(({ recorded }) => recorded?.orderId === old)
  return own?.recorded ?? recordedAt(report, report.exchanges.length - 1)
}

/** A call that the subject turned away then and now: the recording is the bug report, and the bug is still there. */
function turnedAway({ exchanges }: ReplayReport, least: number): Replayed | undefined {
  return exchanges.find(
    (each) => statusOf(each) >= least && statusOf(each) === each.recorded?.reply?.status,
  )
}

function placeOf({ exchanges, first }: ReplayReport, signature: Signature): number {
  if (signature.kind === 'difference')
    return first ?? exchanges.findIndex((each) => same(differenceOf(each), signature))
  if (signature.kind === 'invariant') return -1
  return exchanges.findIndex(
    (each) => operationOf(each) === signature.operation && statusOf(each) === signature.status,
  )
}

/**
 * What fails in a replay. A broken invariant says most of what is wrong; then comes a difference from the recording; last a
 * call that the subject turned away, then as now. Undefined when nothing fails.
 */
export function failureIn(report: ReplayReport): Failure | undefined {
  const [broken] = report.broken
  const again = turnedAway(report, 500) ?? turnedAway(report, 400)
  const signature: Signature | undefined =
    (broken && { kind: 'invariant', name: broken.invariant }) ??
    signatureOf(report) ??
    (again && { kind: 'answer', operation: operationOf(again), status: statusOf(again) })
  return signature && failureOf(report, signature)
}

/** Where in this replay that failure shows. */
export function failureOf(report: ReplayReport, signature: Signature): Failure | undefined {
  const culprit =
    signature.kind === 'invariant'
      ? lastOf(report, report.broken.find((each) => each.invariant === signature.name)?.orderId)
      : recordedAt(report, placeOf(report, signature))
  return culprit && { signature, culprit: culprit.recordId }
}

function shows(report: ReplayReport, signature: Signature): boolean {
  const { exchanges, broken } = report
  if (signature.kind === 'invariant')
    return broken.some((each) => each.invariant === signature.name)
  if (signature.kind === 'answer') return placeOf(report, signature) >= 0
  return exchanges.some((each) => same(differenceOf(each), signature))
}

const carriedThrough = ({ exchanges, interrupted }: ReplayReport): boolean =>
  !interrupted &&
  !exchanges.some(({ standing }) => ['blocked', 'unresolved', 'auth', 'error'].includes(standing))

/** Whether a replay failed in this way, wherever in it. */
export function outcomeOf(report: ReplayReport, signature: Signature): Outcome {
  if (shows(report, signature)) return 'fail'
  return carriedThrough(report) ? 'pass' : 'unresolved'
}
