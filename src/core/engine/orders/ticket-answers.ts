/** Reads the Ordering Application's answers for the Software Service. */
import { compact } from '../../base/compact.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import { IdentifiedOrderEvent, OrderEvent } from '../../protocol/orders/event.ts'
import { Order } from '../../protocol/orders/order.ts'
import { answerReader, failureReason, unreadableAnswer } from '../calls/answer-reader.ts'
import { type CallOutcome, isSuccess, type OutgoingCall } from '../calls/call.ts'
import type { AnswerReader } from '../calls/place-call.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { ticketRequestOf } from './tickets.ts'
import { eventReceivedFact, v1HeardFacts } from './decide-ticket.ts'
import { webhookRetryPausesMs } from '../../protocol/conduct.ts'

/** Reads the answer to a webhook: accepted with any 2xx, retried by the retry plan, or abandoned (ORD-OPS-03). */
export const readPushAnswer: AnswerReader = (call, outcome, { settings }) => {
  const { eventId, attempt, requestId } = call
  if (eventId === undefined) return []
  if (outcome.kind === 'answered' && isSuccess(outcome))
    return [{ kind: 'event.pushed', eventId, attempt, status: outcome.status }]
  const last = attempt > webhookRetryPausesMs(settings.conduct.webhookRetry).length
  const pause = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
  const failed: Fact = {
    kind: 'event.push-failed',
    eventId,
    attempt,
    requestId,
    because: failureReason(outcome),
    // Retry plans in the field treat every answer but 2xx as a failure; final ones are not retried.
    retry: !last && !isFinal(outcome),
    ...compact({ retryAfterMs: pause }),
  }
  return failed.retry ? [failed] : [failed, { kind: 'event.given-up', eventId, attempts: attempt }]
}

/** The receiver rejected the event for good: sending it again cannot help. The answer to a forgery does not count. */
const isFinal = (outcome: CallOutcome): boolean =>
  outcome.kind === 'answered' && !outcome.forged && [400, 422].includes(outcome.status)

/**
 * Stores the events of a poll; they are acknowledged afterwards. An event of unknown type is stored and acknowledged
 * like any other, and so is one that lacks fields that we need to act on it, or it would be returned for ever
 * (ORD-OPS-02); one without an id cannot be. The fact of the poll comes before those of its events: they are
 * acknowledged before they are acted on (ORD-FLO-03).
 */
export const readPollAnswer: AnswerReader = (call, outcome, { world, settings }) => {
  if (!isSuccess(outcome) || outcome.kind === 'failed') {
    const pause = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
    return pause === undefined ? [] : [{ kind: 'ticket.polled', eventIds: [], pauseMs: pause }]
  }
  const ids = new Set<string>()
  const { body = [] } = outcome
  const facts: Fact[] = Array.isArray(body)
    ? []
    : [...unreadableAnswer(call, outcome, 'a poll is answered with a list of events')]
  for (const each of Array.isArray(body) ? body : []) {
    const identified = IdentifiedOrderEvent.safeParse(each)
    if (!identified.success) continue
    const { eventId } = identified.data
    const event = OrderEvent.safeParse(each)
    if (ids.has(eventId)) facts.push({ kind: 'ticket.event-repeated', eventId, channel: 'polling' })
    else if (event.success)
      facts.push(
        ...v1HeardFacts(event.data, settings),
        eventReceivedFact(event.data, 'polling', world),
      )
    ids.add(eventId)
  }
  return [{ kind: 'ticket.polled', eventIds: [...ids] }, ...facts]
}

const subjectOrder = ({ params }: OutgoingCall): string => params?.['orderId'] ?? ''

/** Reads the answer to GET of an order. */
export const orderReader = (
  read: (
    body: unknown,
    orderId: string,
    context: DecisionContext,
  ) => string | { readonly order: Order; readonly lastEvent: string | undefined },
): AnswerReader =>
  answerReader({
    subject: subjectOrder,
    accepted(orderId, { body }, context) {
      const found = read(body, orderId, context)
      if (typeof found === 'string') return found
      const { order, lastEvent } = found
      const { status, fulfillment } = order
      const profile = fulfillment.orderType
      return [{ kind: 'ticket.read', orderId, status, profile, order, ...compact({ lastEvent }) }]
    },
    refused: (orderId, because) => [{ kind: 'ticket.refused', orderId, trigger: 'read', because }],
  })

export const readOrderAnswer = orderReader((body) => {
  const read = Order.safeParse(body)
  return read.success
    ? { order: read.data, lastEvent: read.data.lastEvent }
    : `the order is invalid at ${jsonProblemText(read.error, body)}`
})

/** 202 is a receipt only: the result comes by event or by GET (ORD-RUL-02). */
export const readTicketRequestAnswer = answerReader({
  subject(call) {
    const trigger = ticketRequestOf(call.operation)
    return trigger && { orderId: subjectOrder(call), trigger }
  },
  accepted: (asked) => [{ kind: 'ticket.accepted', ...asked }],
  refused: (asked, because) => [{ kind: 'ticket.refused', ...asked, because }],
})
