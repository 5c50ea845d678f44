/** CV-4: one failed read does not end reading: an open order is read again. */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Evidence } from '../../verdict.ts'
import { isRefusal } from '../../tracking/exchange-fields.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { progressOperations, progressStepOf } from '../../tracking/progress.ts'
import { atTimeOfDay, durationText, orderName, replyText } from '../../tracking/wording.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

interface Failure {
  readonly outcome: string
  readonly began: Instant
  readonly ended: Instant
  readonly cite: Evidence
}

/** A 404 is no final refusal here: the service knows that the order exists. */
const hasFailed = (observed: ObservedExchange): boolean =>
  !observed.ok && (observed.status === 404 || !isRefusal(observed))

export const readingSurvivesErrors = defineInvariant({
  id: 'CV-4',
  name: 'reading-survives-errors',
  sentence: 'Must read an open order again after a GET of it failed.',
  remedy: 'Retry a failed GET with growing pauses for as long as the order is open.',
  kind: 'liveness',
  clauses: ['ORD-EVR-06', 'TRN-STA-12'],
  premise: 'a GET of an order that had been read before failed',
  calls: [...progressOperations, 'getOrder'],
  /** The last read of each order, if it failed. */
  start: () => new Map<string, Failure>(),
  call(failures, observed, tracker, report) {
    const { orderId } = observed
    if (orderId === undefined || (observed.ok && failures.size === 0)) return
    // A progress call shows that the service learned the state by other means.
    const isStep = progressStepOf(observed, tracker) !== undefined
    const before = failures.get(orderId)
    if (before && observed.began >= before.began) failures.delete(orderId)
    const order = tracker.orders.get(orderId)
    if (isStep || !order?.firstSnapshot || isFinalStatus(order.hostStatus) || !hasFailed(observed))
      return
    report.premise()
    const { began, ended } = observed
    const failure = { outcome: replyText(observed), began, ended, cite: observed.evidence }
    setBounded(failures, orderId, failure, maxTrackedKeys)
  },
  end(failures, tracker, report) {
    for (const [orderId, failed] of failures) {
      const order = tracker.orders.get(orderId)
      if (!order || isFinalStatus(order.hostStatus) || order.isForeign) continue
      report.due(tracker.deadline(failed.ended), () => ({
        because: `The service has not read ${orderName(tracker, orderId)} again since its GET ${atTimeOfDay(failed.began)} was ${failed.outcome}, ${durationText(tracker.now - failed.ended)} ago; the order is ${order.hostStatus}.`,
        evidence: [order.firstSnapshot?.evidence, failed.cite],
        orderId,
      }))
    }
  },
})
