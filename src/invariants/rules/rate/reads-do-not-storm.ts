/**
 * RC-1. One thing is read a few times at most within a short while: an event is a reason to read its order once, and a
 * batch of events no reason to read it once for each. Webhooks come one by one, each a reason of its own. Readings that
 * fail are tries, and have rules of their own; a delivery is looked at as often as its platform has news.
 */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey } from '../../helpers/call-outcome.ts'
import { callName } from '../../helpers/call-wording.ts'
import type { Cited } from '../../verdict.ts'
import { cameBetween } from '../../tracking/webhooks-in-flight.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { cites, lasting } from '../../tracking/wording.ts'

/** The last readings of each thing that is no order, oldest first. */
type State = Map<string, Cited[]>

const readsOf = createNote<Cited[]>()

const most = 5000
/** As many as the events of an order's whole life, should they all come at once. */
const mostReads = 8
const windowMs = 3000

export const readsDoNotStorm = defineInvariant<State>({
  id: 'RC-1',
  name: 'reads-do-not-storm',
  sentence:
    'One order or account is read eight times within three seconds at most, and once more for each webhook about it.',
  kind: 'timing',
  clauses: ['ORD-OPS-04', 'TRN-STA-10'],
  premise: 'the service read one thing more than once',
  binds: ['software-service', 'ordering-application', 'crm'],
  sees: {
    exchanges: ['getOrder', 'getOrderV1', 'getAccount', 'getAccountById'],
  },
  start: () => new Map(),
  shown: {
    exchange(state, exchange, watch, tell) {
      if (exchange.by !== 'subject' || !exchange.ok) return
      const key = callKey(exchange)
      if (key === undefined) return
      const { order, cite } = exchange
      const reads = order ? readsOf.of(order) : state.get(key)
      if (!reads) return order ? readsOf.keep(order, [cite]) : setBounded(state, key, [cite], most)
      tell.premise()
      reads.push(cite)
      while (reads[0] && exchange.began - reads[0].at >= windowMs) reads.shift()
      if (reads.length <= mostReads || !reads[0]) return
      const came = cameBetween(watch, exchange.orderId, reads[0].at, exchange.ended).length
      if (reads.length <= mostReads + came) return
      const times = reads.length
      const first = reads.shift()
      if (!first) return
      const reasons =
        came === 0
          ? ''
          : `, though no more than ${came === 1 ? 'one webhook' : `${came} webhooks`} about it came in that time`
      tell.broken({
        because: `The service read ${callName(exchange, watch).replace(/^the GET of /, '')} ${times} times within ${lasting(exchange.began - first.at)}, and was answered each time${reasons}.`,
        evidence: cites(first, ...reads),
        orderId: exchange.orderId,
        once: key,
      })
    },
  },
})
