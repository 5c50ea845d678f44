/**
 * Facts of the outcome of a merchant's cancellation request (ORD-CAN-05, ORD-CAN-06, ORD-TEN-02). Also used by every
 * other cancellation: a pending request must not be left without its outcome.
 */
import type { CancellationAnswer } from './commands.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { OrderRecord } from '../world.ts'
import { orderEventFacts } from './emit.ts'

/** Answers a request; `open` leaves it unanswered, and no event is emitted. */
export function cancellationAnswerFacts(
  { order }: OrderRecord,
  answer: CancellationAnswer,
  context: DecisionContext,
): readonly Fact[] {
  const isSilent = answer === 'open' || !context.settings.conduct.cancellationOutcome
  const eventType =
    answer === 'accept' ? 'CANCELLATION_REQUEST_ACCEPTED' : 'CANCELLATION_REQUEST_DENIED'
  return [
    { kind: 'cancellation.answered', orderId: order.id, answer },
    ...(isSilent ? [] : orderEventFacts(order, eventType, context)),
  ]
}

/** The order is about to be cancelled: accepts a pending request. */
export const grantPendingCancellation = (
  record: OrderRecord,
  context: DecisionContext,
): readonly Fact[] =>
  record.cancellation === 'asked' || record.cancellation === 'open'
    ? cancellationAnswerFacts(record, 'accept', context)
    : []
