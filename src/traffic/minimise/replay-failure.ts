/** The failure to reproduce while minimising: identified in the first replay, looked for in all others. */
import type { Party } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { differenceSignature, failureSignature } from '../replay/failure-signature.ts'
import type { ReplayedExchange, ReplayReport, FailureSignature } from '../replay/replay-report.ts'
import type { TrialOutcome } from './trial.ts'

export interface ReplayFailure {
  readonly signature: FailureSignature
  /** `recordId` of the recorded exchange where it shows. */
  readonly culprit: string
}

const isSubject = ({ party }: Party): boolean => party === 'subject'

const operationOf = ({ recorded, live }: ReplayedExchange): string =>
  (recorded ?? live)?.operation ?? 'unknown'

/** Live status of the subject's reply, 0 for a call of the subject. */
const statusOf = ({ recorded, live }: ReplayedExchange): number => {
  const called = recorded ?? live
  return called && isSubject(called.to) ? (live?.reply?.status ?? 0) : 0
}

const isSameSignature = (a: FailureSignature, b: FailureSignature): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** The recorded exchange at this index of the report, or the last one before it. */
function recordedAt({ exchanges }: ReplayReport, place: number): RecordedExchange | undefined {
  for (let at = place; at >= 0; at--) {
    const recorded = exchanges[at]?.recorded
    if (recorded) return recorded
  }
  return exchanges.find(({ recorded }) => recorded)?.recorded
}

/** The last recorded exchange of a live order. */
function lastOfOrder(
  report: ReplayReport,
  orderId: string | undefined,
): RecordedExchange | undefined {
  const old = report.map.find((name) => name.new === orderId)?.old ?? orderId
  const own = report.exchanges.findLast(({ recorded }) => recorded?.orderId === old)
  return own?.recorded ?? recordedAt(report, report.exchanges.length - 1)
}

/**
 * A call that the subject rejected in the recording and rejects again: the recording documents a failure that is still
 * there.
 */
function findRepeatedRejection(
  { exchanges }: ReplayReport,
  minStatus: number,
): ReplayedExchange | undefined {
  return exchanges.find(
    (each) => statusOf(each) >= minStatus && statusOf(each) === each.recorded?.reply?.status,
  )
}

function indexOfFailure({ exchanges, first }: ReplayReport, signature: FailureSignature): number {
  if (signature.kind === 'difference')
    return (
      first ?? exchanges.findIndex((each) => isSameSignature(differenceSignature(each), signature))
    )
  if (signature.kind === 'invariant') return -1
  return exchanges.findIndex(
    (each) => operationOf(each) === signature.operation && statusOf(each) === signature.status,
  )
}

/**
 * The failure of a replay, by priority: a broken invariant, a difference from the recording, a call that is rejected as
 * it was recorded. Undefined when nothing fails.
 */
export function findFailure(report: ReplayReport): ReplayFailure | undefined {
  const [broken] = report.broken
  const repeatedRejection = findRepeatedRejection(report, 500) ?? findRepeatedRejection(report, 400)
  const signature: FailureSignature | undefined =
    (broken && { kind: 'invariant', name: broken.invariant }) ??
    failureSignature(report) ??
    (repeatedRejection && {
      kind: 'answer',
      operation: operationOf(repeatedRejection),
      status: statusOf(repeatedRejection),
    })
  return signature && locateFailure(report, signature)
}

/** Finds where a failure shows in this replay. */
export function locateFailure(
  report: ReplayReport,
  signature: FailureSignature,
): ReplayFailure | undefined {
  const culprit =
    signature.kind === 'invariant'
      ? lastOfOrder(
          report,
          report.broken.find((each) => each.invariant === signature.name)?.orderId,
        )
      : recordedAt(report, indexOfFailure(report, signature))
  return culprit && { signature, culprit: culprit.recordId }
}

function hasFailure(report: ReplayReport, signature: FailureSignature): boolean {
  const { exchanges, broken } = report
  if (signature.kind === 'invariant')
    return broken.some((each) => each.invariant === signature.name)
  if (signature.kind === 'answer') return indexOfFailure(report, signature) >= 0
  return exchanges.some((each) => isSameSignature(differenceSignature(each), signature))
}

const isCompleted = ({ exchanges, interrupted }: ReplayReport): boolean =>
  !interrupted &&
  !exchanges.some(({ standing }) => ['blocked', 'unresolved', 'auth', 'error'].includes(standing))

/** Whether a replay failed in this way, at any exchange. */
export function trialOutcome(report: ReplayReport, signature: FailureSignature): TrialOutcome {
  if (hasFailure(report, signature)) return 'fail'
  return isCompleted(report) ? 'pass' : 'unresolved'
}
