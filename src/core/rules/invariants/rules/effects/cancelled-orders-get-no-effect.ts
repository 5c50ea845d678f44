/**
 * EF-3: an order that was cancelled before its effect has none: the service never read it open, or knew of the cancellation when it had
 * none yet. What it did for an order that it had read open may have been right when it did it.
 */
import { getOrCreateBounded } from '../../tracking/bounded-map.ts'
import { effectText, ownOrderOf, reportUncounted } from '../../helpers/effects.ts'
import { defineInvariant } from '../../invariant.ts'
import { isCancelledAtHost } from '../../tracking/progress.ts'
import type { ObservedEffects } from '../../tracking/tracker-state.ts'
import { atTimeOfDay, knowledgeText } from '../../tracking/wording.ts'

/** The first answer about an order after the service knew of its cancellation, and had its time. */
type State = Map<string, ObservedEffects>

export const cancelledOrdersGetNoEffect = defineInvariant<State>({
  id: 'EF-3',
  name: 'cancelled-orders-get-no-effect',
  sentence: 'Must not do what it does once per order for an order that was cancelled before that.',
  remedy:
    'Read the order before you act on it, and look once more whether it is cancelled when a queued job begins.',
  kind: 'safety',
  clauses: ['ORD-CAN-02', 'ORD-EVR-01'],
  premise:
    'subject.effects counted the effects of an order that was cancelled before the service had read it, or before they were counted again',
  needs: ['subject.effects'],
  start: () => new Map(),
  effects(known, observed, tracker, report) {
    const order = ownOrderOf(observed, tracker)
    const counts = observed.counts.filter(({ evenIfCancelled }) => !evenIfCancelled)
    if (!order || order.reopenedCount > 0 || !isCancelledAtHost(order) || counts.length === 0)
      return
    const { orderId, firstReceipt, lastSnapshot, wasReadOpen } = order
    const knowledge = order.knownStatuses.get('CANCELLED')
    const before = known.get(orderId)
    if (before || (!wasReadOpen && firstReceipt)) report.premise()
    for (const each of counts) {
      const had = before?.counts.find(({ kind }) => kind === each.kind)
      const hasGrown = had && knowledge && had.count < each.count
      if (each.count === 0 || (wasReadOpen && !hasGrown)) continue
      const why = hasGrown
        ? `and had ${had.count} ${atTimeOfDay(before?.at ?? 0)}, when the service ${knowledgeText(knowledge)}`
        : 'although it is cancelled and the service never read it open'
      report.failed({
        because: `${effectText(each, observed, tracker)}, ${why}.`,
        evidence: [firstReceipt?.evidence, knowledge?.evidence, lastSnapshot?.evidence],
        orderId,
        deduplicationKey: `${orderId} ${each.kind}`,
      })
    }
    const { timing, limits } = tracker
    if (
      knowledge &&
      timing.atMost(knowledge.since, observed.at, limits.graceMs).outcome === 'failed'
    )
      getOrCreateBounded(known, orderId, () => observed)
  },
  end: (_known, tracker, report) => reportUncounted(tracker, report),
})
