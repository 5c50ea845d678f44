/**
 * SE-6: a progress call must be enabled by a status that was shown to the service. A 202 to the previous call only
 * confirms receipt. All that was handed over or read counts, acknowledged or not; repeating an applied transition is
 * allowed.
 */
import { defineInvariant } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { type ProgressStep, progressions, progressOf } from '../../tracking/progress.ts'
import { atClock, cites, did, nameOf } from '../../tracking/wording.ts'
import type { Showing } from '../../tracking/status-history.ts'
import type { OrderWatch } from '../../tracking/tracker-state.ts'
import type { CitedCall } from '../../tracking/order-reading.ts'

/** The last accepted progress call, for the finding's text. */
const accepted = createNote<CitedCall>()

/** The highest status shown before a call began. */
function highest(
  { shown: shownStatuses }: OrderWatch,
  { began }: SeenExchange,
): Showing | undefined {
  const status = shownStatuses.statuses().findLast((each) => shownStatuses.since(each) <= began)
  return status && shownStatuses.get(status)
}

function isEnabled(
  { shown: shownStatuses, profile: orderType }: OrderWatch,
  { enabledBy, to }: ProgressStep,
  { began }: SeenExchange,
): boolean {
  if (to === 'IN_DELIVERY' && orderType !== 'DELIVERY') return false
  for (const status of enabledBy) if (shownStatuses.since(status) <= began) return true
  return false
}

export const progressFollowsWhatIsKnown = defineInvariant<undefined>({
  id: 'SE-6',
  name: 'progress-follows-what-is-known',
  sentence:
    'The service takes an order on only from a status that it was shown, or repeats what is applied already.',
  kind: 'safety',
  clauses: ['ORD-RUL-02', 'ORD-EVR-01', 'ORD-TRA-02', 'ORD-TRA-06'],
  premise: 'the service took an order on',
  binds: ['software-service'],
  sees: { exchanges: progressions },
  start: () => undefined,
  shown: {
    exchange(_state, seen, tracker, report) {
      const step = progressOf(seen)
      const { order } = seen
      if (!step || !order) return
      report.premise()
      const before = accepted.of(order)
      if (seen.ok) accepted.keep(order, seen.cite)
      if (isEnabled(order, step, seen)) return
      const name = nameOf(tracker, order.orderId)
      const known = highest(order, seen)
      const last = known
        ? `the last that it had been shown of it was ${known.status}${known.cite ? ` (${atClock(known.cite.at)})` : ''}`
        : 'it had been shown nothing of it'
      const receipt = before
        ? `, and 202 to its ${before.operation} only says that it was heard`
        : ''
      const why =
        step.to === 'IN_DELIVERY' && order.profile !== 'DELIVERY'
          ? `a ${order.profile} order is never dispatched`
          : `${last}${receipt}`
      report.broken({
        because: `The service ${did(seen, name)} ${atClock(seen.began)}: ${why}.`,
        evidence: cites(known?.cite, before, seen.cite),
        orderId: order.orderId,
        once: `${order.orderId} ${seen.operation}`,
      })
    },
  },
})
