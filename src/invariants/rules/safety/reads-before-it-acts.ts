/**
 * SE-7: an event is a notification, not a command: the service reads an order with GET before its first action on it.
 */
import { defineInvariant } from '../../invariant.ts'
import { orderIn } from '../../tracking/subject-order.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { progressions } from '../../tracking/progress.ts'
import { atClock, cites, did, nameOf } from '../../tracking/wording.ts'

/** The service acted on the order. */
const begun = createNote<true>()

export const readsBeforeItActs = defineInvariant<undefined>({
  id: 'SE-7',
  name: 'reads-before-it-acts',
  sentence: 'Before the service does anything about an order it has read it.',
  kind: 'safety',
  clauses: ['ORD-FLO-03', 'ORD-GEN-03', 'ORD-EVR-01'],
  premise: 'the service did something about an order for the first time',
  binds: ['software-service'],
  sees: { exchanges: [...progressions, 'createDelivery'] },
  start: () => undefined,
  shown: {
    exchange(_state, seen, tracker, report) {
      if (seen.by !== 'subject') return
      const order = orderIn(seen, tracker)
      if (!order || begun.of(order)) return
      begun.keep(order, true)
      report.premise()
      const { read: firstSnapshot, told: firstReceipt } = order
      if (firstSnapshot && firstSnapshot.ended <= seen.began) return
      const name = nameOf(tracker, order.orderId)
      const heard = firstReceipt
        ? ` It had only heard ${firstReceipt.eventType} (${atClock(firstReceipt.cite.at)}).`
        : ''
      report.broken({
        because: `The service ${did(seen, name)} ${atClock(seen.began)}, and had not read it: no GET of it had been answered 200 by then.${heard}`,
        evidence: cites(firstReceipt?.cite, seen.cite),
        orderId: order.orderId,
      })
    },
  },
})
