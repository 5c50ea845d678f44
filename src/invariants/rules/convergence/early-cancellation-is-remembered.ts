/** CV-8: CANCELLED that arrives before CREATED is remembered: the order is never started. */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import type { Evidence } from '../../verdict.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { isCancelledAtHost, progressOperations } from '../../tracking/progress.ts'
import {
  atTimeOfDay,
  collectEvidence,
  actionText,
  durationText,
  orderName,
} from '../../tracking/wording.ts'

interface Early {
  /** Handover of CANCELLED before that of CREATED. */
  readonly handed: Evidence
  /** When the service accepted it. */
  known?: number
  /** Handover of CREATED after it. */
  created?: Evidence
}

/** By order. */
type State = Map<string, Early>

export const earlyCancellationIsRemembered = defineInvariant<State>({
  id: 'CV-8',
  name: 'early-cancellation-is-remembered',
  sentence: 'An order whose CANCELLED came before its CREATED is not begun.',
  kind: 'safety',
  clauses: ['ORD-EVR-04', 'ORD-CAN-02'],
  premise: 'CANCELLED of an order came before its CREATED',
  binds: ['software-service'],
  subscriptions: {
    exchanges: progressOperations,
    handovers: (eventType) => eventType === 'CREATED' || eventType === 'CANCELLED',
    acknowledgments: (eventType) => eventType === 'CANCELLED',
  },
  start: () => new Map(),
  handlers: {
    handover(early, { orderId, order, eventType, exchange }) {
      if (orderId === undefined) return
      if (eventType === 'CREATED') {
        const known = early.size === 0 ? undefined : early.get(orderId)
        if (known) known.created ??= exchange.evidence
      }
      if (eventType !== 'CANCELLED' || early.has(orderId)) return
      // A CREATED webhook in flight is shown as well, but has no evidence yet.
      if (!order || order.firstSnapshot || order.shownStatuses.get('CREATED')?.evidence) return
      setBounded(early, orderId, { handed: exchange.evidence }, maxTrackedKeys)
    },
    acknowledgment(early, { orderId, at }, _watch, report) {
      if (orderId === undefined) return
      const known = early.get(orderId)
      if (!known || known.known !== undefined) return
      known.known = at
      report.premise()
    },
    exchange(early, exchange, tracker, report) {
      const { orderId, order } = exchange
      if (early.size === 0 || exchange.caller !== 'subject' || orderId === undefined) return
      const known = early.get(orderId)
      if (!order || known?.known === undefined) return
      const later = exchange.began - known.known
      if (later <= tracker.limits.inFlightMs || !isCancelledAtHost(order)) return
      const name = orderName(tracker, orderId)
      const after = known.created
        ? `, when CREATED had come as well (${atTimeOfDay(known.created.at)})`
        : ''
      report.broken({
        because: `The service ${actionText(exchange, name)} ${durationText(later)} after it had taken CANCELLED on${after}: it heard of the end before it heard of the order.`,
        evidence: collectEvidence(known.handed, known.created, exchange.evidence),
        orderId,
        deduplicationKey: `${orderId} ${exchange.operation}`,
      })
    },
  },
})
