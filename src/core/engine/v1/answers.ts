/** Reads the answers of a V1 partner for our Software Service. */
import { furtherStatus, v1StatusOfLastEvent } from '../../protocol/v1/events.ts'
import { fromV1Order } from '../../protocol/v1/from-v1.ts'
import type { AnswerReaders } from '../calls/place-call.ts'
import { orderReader, readTicketRequestAnswer, readPollAnswer } from '../orders/ticket-answers.ts'

/** V1 has no status: it is derived from the last event received and the order's `lastEvent`. */
const readOrderV1 = orderReader((body, orderId, { world }) => {
  const believed = world.v1.believed.get(orderId)
  const read = fromV1Order(
    body,
    (lastEvent) => furtherStatus(believed, v1StatusOfLastEvent(lastEvent)) ?? 'CREATED',
  )
  if (typeof read === 'string') return read
  const { order, flags, lastEvent } = read
  // The flags on the order say which calls this partner expects.
  return { order: { ...order, ...flags }, lastEvent }
})

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
