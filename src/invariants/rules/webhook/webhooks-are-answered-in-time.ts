/**
 * WH-2. A webhook is answered within the partners' time-out, whatever the load (ORD-OPS-03): processing happens after
 * the reply. Calls that a fault distorted do not count.
 */
import { defineInvariant } from '../../invariant.ts'
import { receivers, webhooks } from '../../helpers/webhooks.ts'
import { lasting, nameOf } from '../../tracking/wording.ts'

export const webhooksAreAnsweredInTime = defineInvariant({
  id: 'WH-2',
  name: 'webhooks-are-answered-in-time',
  sentence: 'A webhook is answered in time, whatever the service is busy with.',
  kind: 'timing',
  clauses: ['ORD-OPS-03'],
  premise: 'an event was sent to the webhook of the service',
  binds: receivers,
  sees: { exchanges: webhooks },
  start: () => undefined,
  shown: {
    exchange(_state, exchange, tracker, report) {
      const { failure } = exchange.exchange
      const isTimeout = failure?.code === 'TIMEOUT'
      if (exchange.by !== 'sparring' || exchange.faulted) return
      // Unreachable is not slow.
      if (exchange.status === 0 && !isTimeout) return
      report.premise()
      const took = exchange.ended - exchange.began
      if (took <= tracker.patience.webhookMs && !isTimeout) return
      const { orderId, operation } = exchange
      const of = orderId === undefined ? '' : ` of ${nameOf(tracker, orderId)}`
      const verb = isTimeout ? 'did not answer' : `took ${lasting(took)} to answer`
      report.broken({
        because: `The service ${verb} the webhook ${operation}${of}${isTimeout ? ` within ${lasting(took)}` : ''}; partners wait for ${lasting(tracker.patience.webhookMs)}.`,
        evidence: [exchange.cite],
        orderId,
      })
    },
  },
})
