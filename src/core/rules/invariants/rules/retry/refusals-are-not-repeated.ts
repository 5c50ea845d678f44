/**
 * RT-5. A finally refused call is not repeated unchanged unless the service learned something new (TRN-ERB-01): an
 * event of the order, or another status. Reads have rules of their own; an event in flight may have reported something
 * unobserved.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey, orderIdOfCall, callResultOf } from '../../helpers/call-outcome.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { valueAt, textAt, requestIdOf } from '../../tracking/exchange-fields.ts'
import { callName, durationText, replyName } from '../../tracking/wording.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'
import { roles } from '../../../../protocol/role.ts'

interface State {
  /** Refused calls by retry key, and what the service knew then. */
  readonly refusals: Map<string, { readonly by: ObservedExchange; readonly news: string }>
  /** Last status of each delivery, by GET. */
  readonly deliveries: Map<string, string | undefined>
}

const maxEntries = 5000

/** A person may repeat these calls; only an automatic retry carries the same X-Request-Id. */
const personalDecisions: ReadonlySet<string> = new Set(['requestCancellation'])

/** Fingerprint of what the service knows about an order; undefined while a webhook is in flight. */
function knowledgeOf(
  { deliveries }: State,
  orderId: string,
  tracker: TrackerState,
): string | undefined {
  const order = tracker.orders.get(orderId)
  if (order?.events.some(({ callsInFlight }) => callsInFlight > 0)) return undefined
  const document = order?.lastSnapshot?.responseJson()
  const read = [
    valueAt(document, 'status'),
    valueAt(document, 'lastEvent'),
    deliveries.get(orderId),
  ]
  return `${order?.handoverCount ?? 0} ${read.join(' ')}`
}

/** Whether a call repeats a refused one, rather than being a new or corrected request. */
function isSame(exchange: ObservedExchange, refused: ObservedExchange): boolean {
  if (exchange.began < refused.ended || exchange.exchange.seq < refused.exchange.seq) return false
  if (exchange.requestFingerprint !== refused.requestFingerprint) return false
  return (
    !personalDecisions.has(exchange.operation ?? '') ||
    requestIdOf(exchange) === requestIdOf(refused)
  )
}

export const refusalsAreNotRepeated = defineInvariant<State>({
  id: 'RT-5',
  name: 'refusals-are-not-repeated',
  sentence:
    'Must not repeat a call that was finally refused until something new is known about the order.',
  remedy:
    'Treat such a 4xx as final: read the order and decide anew instead of sending the same call again.',
  kind: 'safety',
  ofOneProcess: true,
  clauses: ['TRN-ERB-01', 'LOG-RUL-02'],
  premise: 'a call of the service about an order was refused for good',
  binds: roles,
  calls: 'all',
  start: () => ({ refusals: new Map(), deliveries: new Map() }),
  call(state, exchange, tracker, report) {
    const { refusals, deliveries } = state
    const { operation, orderId, ok } = exchange
    if (operation === 'getDelivery' && ok && orderId !== undefined)
      setBounded(deliveries, orderId, textAt(exchange.responseJson(), 'status'), maxEntries)
    if ((ok && refusals.size === 0) || exchange.exchange.request.method !== 'POST') return
    const subjectOrderId = orderIdOfCall(exchange)
    const key = callKey(exchange)
    if (subjectOrderId === undefined || key === undefined) return
    const refused = refusals.get(key)
    const before = refused && tracker.isOfEarlierProcess(refused.by.evidence) ? undefined : refused
    const knowledge = knowledgeOf(state, subjectOrderId, tracker)
    if (before && knowledge === before.news && isSame(exchange, before.by))
      report.failed({
        timing: tracker.timing.inOrder(before.by.ended, exchange.began),
        because: `The service repeated ${callName(exchange, tracker)} ${durationText(exchange.began - before.by.ended)} after ${replyName(before.by)} that refused it for good, without a new event or status in between.`,
        evidence: [before.by.evidence, exchange.evidence],
        orderId: subjectOrderId,
        deduplicationKey: key,
      })
    if (callResultOf(exchange) !== 'refused') {
      refusals.delete(key)
      return
    }
    report.premise()
    if (knowledge !== undefined)
      setBounded(refusals, key, { by: exchange, news: knowledge }, maxEntries)
    else refusals.delete(key)
  },
})
