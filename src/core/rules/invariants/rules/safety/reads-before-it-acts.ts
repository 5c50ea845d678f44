/**
 * SE-7: an event is a notification, not a command: the service reads an order with GET before its first action on it.
 */
import { compact } from '../../../../base/compact.ts'
import { defineInvariant } from '../../invariant.ts'
import { orderOfExchange } from '../../tracking/exchange-fields.ts'
import { progressOperations } from '../../tracking/progress.ts'
import { atTimeOfDay, actionText, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder } from '../../tracking/tracker-state.ts'

/** The service acted on the order. */
const begun = new WeakSet<TrackedOrder>()

export const readsBeforeItActs = defineInvariant({
  id: 'SE-7',
  name: 'reads-before-it-acts',
  sentence: 'Must read an order with GET before the first call that acts on it.',
  remedy: 'Call GET /orders/{orderId} after CREATED, and act on the order only after a 200.',
  kind: 'safety',
  clauses: ['ORD-FLO-03', 'ORD-GEN-03', 'ORD-EVR-01'],
  premise: 'the service did something about an order for the first time',
  calls: [...progressOperations, 'createDelivery'],
  call(_state, observed, tracker, report) {
    const order = orderOfExchange(observed, tracker)
    if (!order || begun.has(order)) return
    begun.add(order)
    report.premise()
    const { firstSnapshot, firstReceipt } = order
    if (firstSnapshot && firstSnapshot.ended <= observed.began) return
    const name = orderName(tracker, order.orderId)
    const heard = firstReceipt
      ? ` It had only received ${firstReceipt.eventType} (${atTimeOfDay(firstReceipt.evidence.at)}).`
      : ''
    const timing = firstSnapshot && tracker.timing.inOrder(observed.began, firstSnapshot.ended)
    report.failed({
      ...compact({ timing }),
      because: `The service ${actionText(observed, name)} ${atTimeOfDay(observed.began)} without reading it first: no GET of it had been answered 200 by then.${heard}`,
      evidence: [firstReceipt?.evidence, observed.evidence],
      orderId: order.orderId,
    })
  },
})
