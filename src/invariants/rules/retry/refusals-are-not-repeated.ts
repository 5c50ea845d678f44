/**
 * RT-5. A finally refused call is not repeated unchanged unless the service learned something new (TRN-ERB-01): an
 * event of the order, or another status. Reads have rules of their own; an event in flight may have told something
 * unobserved.
 */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey, orderOf, told } from '../../helpers/call-outcome.ts'
import { everyRole } from '../../helpers/roles.ts'
import { answerName, callName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { fieldOf, keyOf } from '../../tracking/subject-order.ts'
import { lasting } from '../../tracking/wording.ts'
import type { Watch } from '../../tracking/tracker-state.ts'

interface State {
  /** Refused calls by retry key, and what the service knew then. */
  readonly refusals: Map<string, { readonly by: SeenExchange; readonly news: string }>
  /** Last status of each delivery, by GET. */
  readonly deliveries: Map<string, unknown>
}

const maxEntries = 5000

/** A person may repeat these calls; only an automatic retry carries the same X-Request-Id. */
const personalDecisions: ReadonlySet<string> = new Set([
  'requestCancellation',
  'requestCancellationV1',
])

/** Fingerprint of what the service knows about an order; undefined while a webhook is in flight. */
function knowledgeOf({ deliveries }: State, orderId: string, tracker: Watch): string | undefined {
  const order = tracker.orders.get(orderId)
  if (order?.events.some(({ calling: callsInFlight }) => callsInFlight > 0)) return undefined
  const document = order?.lastRead?.answered()
  const read = [
    fieldOf(document, 'status'),
    fieldOf(document, 'lastEvent'),
    deliveries.get(orderId),
  ]
  return `${order?.handed ?? 0} ${read.join(' ')}`
}

/** Whether a call repeats a refused one, rather than being a new or corrected request. */
function isSame(exchange: SeenExchange, refused: SeenExchange): boolean {
  if (exchange.began < refused.ended || exchange.exchange.seq < refused.exchange.seq) return false
  if (exchange.exchange.request.body !== refused.exchange.request.body) return false
  return !personalDecisions.has(exchange.operation ?? '') || keyOf(exchange) === keyOf(refused)
}

export const refusalsAreNotRepeated = defineInvariant<State>({
  id: 'RT-5',
  name: 'refusals-are-not-repeated',
  sentence:
    'A call that was refused for good is not repeated before the service has learned something new.',
  kind: 'safety',
  clauses: ['TRN-ERB-01', 'LOG-RUL-02'],
  premise: 'a call of the service about an order was refused for good',
  binds: everyRole,
  sees: { exchanges: ['getDelivery'], failures: 'all' },
  start: () => ({ refusals: new Map(), deliveries: new Map() }),
  minds: ({ refusals }) => refusals.size > 0,
  shown: {
    exchange(state, exchange, tracker, report) {
      if (exchange.by !== 'subject') return
      const { refusals, deliveries } = state
      const { operation, orderId, ok } = exchange
      if (operation === 'getDelivery' && ok && orderId !== undefined)
        setBounded(deliveries, orderId, fieldOf(exchange.answered(), 'status'), maxEntries)
      if ((ok && refusals.size === 0) || exchange.exchange.request.method !== 'POST') return
      const subjectOrderId = orderOf(exchange)
      const key = callKey(exchange)
      if (subjectOrderId === undefined || key === undefined) return
      const before = refusals.get(key)
      const knowledge = knowledgeOf(state, subjectOrderId, tracker)
      if (before && knowledge === before.news && isSame(exchange, before.by))
        report.broken({
          because: `The service made ${callName(exchange, tracker)} again ${lasting(exchange.began - before.by.ended)} after ${answerName(before.by)} that said not to, and had learned nothing since.`,
          evidence: [before.by.cite, exchange.cite],
          orderId: subjectOrderId,
          once: key,
        })
      if (told(exchange) !== 'refused') {
        refusals.delete(key)
        return
      }
      report.premise()
      if (knowledge !== undefined)
        setBounded(refusals, key, { by: exchange, news: knowledge }, maxEntries)
      else refusals.delete(key)
    },
  },
})
