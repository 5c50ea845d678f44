/**
 * EF-2: in the end an order that the service confirmed has its effect of each kind. One that was cancelled since may have lost it or never
 * had it.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { effectText, ownOrderOf, reportUncounted } from '../../helpers/effects.ts'
import { defineInvariant } from '../../invariant.ts'
import { getOrCreateBounded, maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { isCancelledAtHost } from '../../tracking/progress.ts'
import { statusRank } from '../../tracking/status-rank.ts'
import { allOf } from '../../tracking/timing.ts'
import { atTimeOfDay, durationText } from '../../tracking/wording.ts'
import type { CallEvidence, ObservedEffects, TrackedOrder } from '../../tracking/tracker-state.ts'

interface State {
  /** The successful confirmations of the service, by order. */
  readonly confirmed: Map<string, { readonly at: number; readonly cite: CallEvidence }>
  /** Kinds that were counted once, by order: a count that is lost with a process is no lost effect. */
  readonly had: Map<string, Set<string>>
  /** The last answer about an order that lacks an effect. */
  readonly lacking: Map<string, ObservedEffects>
}

/** The host took the confirmation, and the order goes on. */
const isConfirmed = (order: TrackedOrder): boolean =>
  statusRank(order.hostStatus) >= statusRank('CONFIRMED') &&
  !isCancelledAtHost(order) &&
  (order.cancellation === undefined || order.cancellation === 'deny')

export const confirmedOrdersHaveTheirEffect = defineInvariant<State>({
  id: 'EF-2',
  name: 'confirmed-orders-have-their-effect',
  sentence:
    'Must in the end do what it does once per order for every order that it confirmed, whatever event was lost.',
  remedy:
    'Store what is to be done with the event before you acknowledge it, and take it up again at the next try and after a start.',
  kind: 'liveness',
  clauses: ['ORD-GEN-05', 'ORD-EVR-06'],
  premise: 'subject.effects counted the effects of an order that the service had confirmed',
  needs: ['subject.effects'],
  calls: ['confirmOrder'],
  start: () => ({ confirmed: new Map(), had: new Map(), lacking: new Map() }),
  call({ confirmed }, { ok, order, ended, evidence }) {
    if (ok && order && !confirmed.has(order.orderId))
      setBounded(confirmed, order.orderId, { at: ended, cite: evidence }, maxTrackedKeys)
  },
  effects({ confirmed, had, lacking }, observed, tracker, report) {
    const order = ownOrderOf(observed, tracker)
    if (!order || observed.counts.length === 0 || !confirmed.has(order.orderId)) return
    if (!isConfirmed(order)) return
    report.premise()
    const kinds = getOrCreateBounded(had, order.orderId, () => new Set<string>())
    for (const { kind, count } of observed.counts) if (count > 0) kinds.add(kind)
    if (observed.counts.every(({ kind }) => kinds.has(kind))) lacking.delete(order.orderId)
    else setBounded(lacking, order.orderId, observed, maxTrackedKeys)
  },
  end({ confirmed, had, lacking }, tracker, report) {
    reportUncounted(tracker, report)
    for (const [orderId, observed] of lacking) {
      const order = tracker.orders.get(orderId)
      const confirmation = confirmed.get(orderId)
      const missing = observed.counts.find(({ kind }) => !had.get(orderId)?.has(kind))
      if (!order || !confirmation || !missing || !isConfirmed(order)) continue
      const since = Math.max(confirmation.at, tracker.faultFreeSince() ?? 0)
      // The answer shows the state of its own time.
      const timing = allOf(
        tracker.deadline(since),
        tracker.timing.atMost(since, observed.at, tracker.limits.convergeMs),
      )
      if (timing.outcome === 'fine') {
        report.open()
        continue
      }
      report.failed({
        timing,
        because: `${effectText(missing, observed, tracker)}, ${durationText(observed.at - confirmation.at)} after the service confirmed it ${atTimeOfDay(confirmation.cite.at)}.`,
        evidence: [order.firstReceipt?.evidence, confirmation.cite, order.lastCall],
        orderId,
      })
    }
  },
})
