/** Reads the answers of a V1 partner for our Software Service. */
import { compact } from '../../compact.ts'
import { furtherStatus, v1StatusOfEvent } from '../../protocol/v1/events.ts'
import { fromV1Order } from '../../protocol/v1/from-v1.ts'
import { outcomeText, isSuccess, willRetry } from '../calls/call.ts'
import type { AnswerReader, AnswerReaders } from '../calls/place-call.ts'
import type { Fact } from '../fact.ts'
import { readTicketRequestAnswer, readPollAnswer } from '../orders/ticket-answers.ts'

/** V1 has no status: it is derived from the last event received and the order's `lastEvent`. */
const readOrderV1: AnswerReader = (call, outcome, { world }) => {
  const orderId = call.params?.['orderId'] ?? ''
  if (willRetry(call, outcome)) return []
  const refused = (because: string): readonly Fact[] => [
    { kind: 'ticket.refused', orderId, trigger: 'read', because },
  ]
  if (outcome.kind === 'failed') return refused(outcome.message)
  if (!isSuccess(outcome)) return refused(`answered ${outcomeText(outcome)}`)
  const believed = world.v1.believed.get(orderId)
  const read = fromV1Order(
    outcome.body,
    (lastEvent) => furtherStatus(believed, v1StatusOfEvent(lastEvent)) ?? 'CREATED',
  )
  if (typeof read === 'string') return refused(read)
  const { order, flags, lastEvent } = read
  return [
    {
      kind: 'ticket.read',
      orderId,
      status: order.status,
      profile: order.fulfillment.orderType,
      // The flags on the order say which calls this partner expects.
      order: { ...order, ...flags },
      ...compact({ lastEvent }),
    },
  ]
}

export const v1Answers: AnswerReaders = {
  pollEventsV1: readPollAnswer,
  getOrderV1: readOrderV1,
  confirmOrderV1: readTicketRequestAnswer,
  setOrderPreparingV1: readTicketRequestAnswer,
  setOrderReadyForPickupV1: readTicketRequestAnswer,
  setOrderPickedUpV1: readTicketRequestAnswer,
  dispatchOrderV1: readTicketRequestAnswer,
  setOrderDeliveredV1: readTicketRequestAnswer,
  requestCancellationV1: readTicketRequestAnswer,
}
