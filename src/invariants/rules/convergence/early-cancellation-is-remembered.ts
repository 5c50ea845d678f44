/** CV-8: CANCELLED that arrives before CREATED is remembered: the order is never started. */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import type { Cited } from '../../verdict.ts'
import { mostKept } from '../../tracking/bounded-map.ts'
import { isCancelled, progressions } from '../../tracking/progress.ts'
import { atClock, cites, did, lasting, nameOf } from '../../tracking/wording.ts'

interface Early {
  /** Handover of CANCELLED before that of CREATED. */
  readonly handed: Cited
  /** When the service accepted it. */
  known?: number
  /** Handover of CREATED after it. */
  created?: Cited
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
  sees: {
    exchanges: progressions,
    handovers: (eventType) => eventType === 'CREATED' || eventType === 'CANCELLED',
    acknowledgments: (eventType) => eventType === 'CANCELLED',
  },
  start: () => new Map(),
  shown: {
    handover(early, { orderId, order, eventType, exchange }) {
      if (orderId === undefined) return
      if (eventType === 'CREATED') {
        const known = early.size === 0 ? undefined : early.get(orderId)
        if (known) known.created ??= exchange.cite
      }
      if (eventType !== 'CANCELLED' || early.has(orderId)) return
      // A CREATED webhook in flight is shown as well, but has no evidence yet.
      if (!order || order.read || order.shown.get('CREATED')?.cite) return
      setBounded(early, orderId, { handed: exchange.cite }, mostKept)
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
      if (early.size === 0 || exchange.by !== 'subject' || orderId === undefined) return
      const known = early.get(orderId)
      if (!order || known?.known === undefined) return
      const later = exchange.began - known.known
      if (later <= tracker.patience.inFlightMs || !isCancelled(order)) return
      const name = nameOf(tracker, orderId)
      const after = known.created
        ? `, when CREATED had come as well (${atClock(known.created.at)})`
        : ''
      report.broken({
        because: `The service ${did(exchange, name)} ${lasting(later)} after it had taken CANCELLED on${after}: it heard of the end before it heard of the order.`,
        evidence: cites(known.handed, known.created, exchange.cite),
        orderId,
        once: `${orderId} ${exchange.operation}`,
      })
    },
  },
})
