/** Reads the Ordering Application's answers for the Software Service. */
import { compact } from '../../compact.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import { IdentifiedOrderEvent, OrderEvent } from '../../protocol/orders/event.ts'
import { Order } from '../../protocol/orders/order.ts'
import type { AnswerReader } from '../calls/place-call.ts'
import { type CallOutcome, outcomeText, isSuccess, willRetry } from '../calls/call.ts'
import type { Fact } from '../fact.ts'
import { ticketRequestOf } from './tickets.ts'
import { v1HeardFacts } from '../v1/heard-fact.ts'
import { eventReceivedFact } from './decide-ticket.ts'

/** The reason of a failed outcome. */
const failureReason = (outcome: CallOutcome): string =>
  outcome.kind === 'failed' ? outcome.message : `answered ${outcomeText(outcome)}`

/**
 * Stores the events of a poll; they are acknowledged afterwards. An event of unknown type is stored and acknowledged
 * like any other, and so is one that lacks fields that we need to act on it, or it would be returned for ever
 * (ORD-OPS-02); one without an id cannot be. The fact of the poll comes before those of its events: they are
 * acknowledged before they are acted on (ORD-FLO-03).
 */
export const readPollAnswer: AnswerReader = (_call, outcome, { world, settings }) => {
  if (!isSuccess(outcome) || outcome.kind === 'failed') {
    const pause = outcome.kind === 'answered' ? outcome.retryAfterMs : undefined
    return pause === undefined ? [] : [{ kind: 'ticket.polled', eventIds: [], pauseMs: pause }]
  }
  const ids = new Set<string>()
  const facts: Fact[] = []
  for (const each of Array.isArray(outcome.body) ? outcome.body : []) {
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

export const readOrderAnswer: AnswerReader = (call, outcome) => {
  const orderId = call.params?.['orderId'] ?? ''
  if (willRetry(call, outcome)) return []
  const refused = (because: string): readonly Fact[] => [
    { kind: 'ticket.refused', orderId, trigger: 'read', because },
  ]
  if (outcome.kind === 'failed' || !isSuccess(outcome)) return refused(failureReason(outcome))
  const read = Order.safeParse(outcome.body)
  if (!read.success)
    return refused(`the order is invalid at ${jsonProblemText(read.error, outcome.body)}`)
  const order = read.data
  return [
    {
      kind: 'ticket.read',
      orderId,
      status: order.status,
      profile: order.fulfillment.orderType,
      order,
      ...compact({ lastEvent: order.lastEvent }),
    },
  ]
}

/** 202 is a receipt only: the result comes by event or by GET (ORD-RUL-02). */
export const readTicketRequestAnswer: AnswerReader = (call, outcome) => {
  const orderId = call.params?.['orderId'] ?? ''
  const trigger = ticketRequestOf(call.operation)
  if (trigger === undefined || willRetry(call, outcome)) return []
  if (isSuccess(outcome)) return [{ kind: 'ticket.accepted', orderId, trigger }]
  return [{ kind: 'ticket.refused', orderId, trigger, because: failureReason(outcome) }]
}
