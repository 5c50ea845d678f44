/**
 * WH-2. A webhook is answered within the partners' time-out, whatever the load (ORD-OPS-03): processing happens after
 * the reply. Calls that a fault distorted do not count.
 */
import { defineInvariant } from '../../invariant.ts'
import { webhookReceivers } from '../../helpers/webhooks.ts'
import { durationText, orderName } from '../../tracking/wording.ts'

export const webhooksAreAnsweredInTime = defineInvariant({
  id: 'WH-2',
  name: 'webhooks-are-answered-in-time',
  sentence: 'Must answer a webhook within the time limit of the partner, whatever the load.',
  remedy: 'Store the event, answer 2xx at once, and process the event afterwards.',
  kind: 'timing',
  clauses: ['ORD-OPS-03'],
  premise: 'an event was sent to the webhook of the service',
  binds: webhookReceivers,
  webhook(_state, exchange, tracker, report) {
    const { failure } = exchange.exchange
    const isTimeout = failure?.code === 'TIMEOUT'
    // Unreachable is not slow.
    if (exchange.isFaulted || (exchange.status === 0 && !isTimeout)) return
    report.premise()
    const { began, ended } = exchange
    const took = tracker.timing.ownMs(exchange.start, exchange.end)
    const { webhookMs } = tracker.limits
    const byMs = Math.max(isTimeout ? 1 : 0, took - webhookMs)
    const timing = tracker.timing.of({ from: began, to: ended, byMs })
    if (timing.outcome === 'fine') return
    const { orderId, operation } = exchange
    const of = orderId === undefined ? '' : ` of ${orderName(tracker, orderId)}`
    const verb = isTimeout ? 'did not answer' : `took ${durationText(took)} to answer`
    report.failed({
      timing,
      because: `The service ${verb} the webhook ${operation}${of}${isTimeout ? ` within ${durationText(took)}` : ''}; the time limit is ${durationText(webhookMs)}.`,
      evidence: [exchange.evidence],
      orderId,
      deduplicationKey: `${exchange.exchange.seq}`,
    })
  },
})
