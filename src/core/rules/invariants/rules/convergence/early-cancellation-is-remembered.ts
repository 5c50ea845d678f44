/**
 * CV-8: CANCELLED that arrives before CREATED is remembered: the order is never started. It is put to the test only when
 * CREATED is the next that the service hears of the order: any event in between makes it look.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { Evidence } from '../../verdict.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { isCancelledAtHost, progressOperations } from '../../tracking/progress.ts'
import { atTimeOfDay, actionText, durationText, orderName } from '../../tracking/wording.ts'

interface Early {
  /** Handover of CANCELLED before that of CREATED. */
  readonly handed: Evidence
  /** When the service accepted it. */
  known?: number
  /** Handover of CREATED after it. */
  created?: Evidence
  /** Another event of the order came in between. */
  isRevealed?: true
}

/** Both events have come, in whichever order they were acknowledged, and none in between. */
function countTest({ known, created, isRevealed }: Early, report: InvariantReporter): void {
  if (known !== undefined && created && !isRevealed) report.premise()
}

export const earlyCancellationIsRemembered = defineInvariant({
  id: 'CV-8',
  name: 'early-cancellation-is-remembered',
  sentence: 'Must not start an order whose CANCELLED arrived before its CREATED.',
  remedy:
    'Store CANCELLED also for an order that is not known yet, and check for it before an order is started.',
  kind: 'safety',
  clauses: ['ORD-EVR-04', 'ORD-CAN-02'],
  premise: 'CREATED of an order arrived after its CANCELLED, with no other event of it in between',
  calls: progressOperations,
  /** By order. */
  start: () => new Map<string, Early>(),
  handover(early, { orderId, order, eventType, exchange }, _tracker, report) {
    if (orderId === undefined) return
    const known = early.size === 0 ? undefined : early.get(orderId)
    if (known && !known.created && eventType !== 'CANCELLED')
      if (eventType === 'CREATED') {
        known.created = exchange.evidence
        countTest(known, report)
      } else known.isRevealed = true
    if (eventType !== 'CANCELLED' || early.has(orderId)) return
    // A CREATED webhook in flight is shown as well, but has no evidence yet.
    if (!order || order.firstSnapshot || order.shownStatuses.get('CREATED')?.evidence) return
    setBounded(early, orderId, { handed: exchange.evidence }, maxTrackedKeys)
  },
  acknowledgment(early, { eventType, orderId, at }, _tracker, report) {
    const known =
      orderId === undefined || eventType !== 'CANCELLED' ? undefined : early.get(orderId)
    if (!known || known.known !== undefined) return
    known.known = at
    countTest(known, report)
  },
  call(early, exchange, tracker, report) {
    const { orderId, order } = exchange
    if (early.size === 0 || orderId === undefined) return
    const known = early.get(orderId)
    if (!order || known?.known === undefined) return
    const later = exchange.began - known.known
    const { inFlightMs } = tracker.limits
    const timing = tracker.timing.atMost(known.known, exchange.began, inFlightMs)
    if (timing.outcome === 'fine' || !isCancelledAtHost(order)) return
    const name = orderName(tracker, orderId)
    const after = known.created
      ? ` and after CREATED had arrived as well (${atTimeOfDay(known.created.at)})`
      : ''
    report.failed({
      timing,
      because: `The service ${actionText(exchange, name)} ${durationText(later)} after it had accepted CANCELLED${after}; CANCELLED had arrived before CREATED.`,
      evidence: [known.handed, known.created, exchange.evidence],
      orderId,
      deduplicationKey: `${orderId} ${exchange.operation}`,
    })
  },
})
