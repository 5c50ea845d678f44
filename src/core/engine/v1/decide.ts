/**
 * V1's cancellation handshake: before an originator cancels, it asks the merchant, who accepts or denies (fields.md,
 * 4.4). When denied, the order continues and no event announces that.
 */
import { compact } from '../../base/compact.ts'
import { originatorCancellationCodes } from '../../protocol/orders/cancellation.ts'
import { orderStep } from '../../protocol/orders/lifecycle.ts'
import { ok } from '../../protocol/result.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { Decisions } from '../decision.ts'
import { eventEmittedFact } from '../orders/emit.ts'
import { findOrder } from '../orders/record.ts'
import { mayCallOrderingApplication } from '../orders/tickets.ts'
import { refuse } from '../refusal.ts'
import type { V1Command } from './commands.ts'

export const v1Decisions: Decisions<V1Command> = {
  'handshake.offer'(
    { orderId, reason = 'o cliente desistiu', code = originatorCancellationCodes[0] },
    context,
  ) {
    const found = findOrder(orderId, context.world)
    if (!found.ok) return found
    const { order, status, cancellation } = found.value
    if (context.world.v1.handshakes.has(orderId)) return ok([])
    if (
      cancellation === 'accept' ||
      orderStep(status, 'cancel', order.fulfillment.orderType).kind !== 'moves'
    )
      return refuse(
        'INVALID_TRANSITION',
        `the order ${orderId} cannot be cancelled in ${status}`,
        context.settings.conduct.invalidTransition.orders,
      )
    return ok([
      { kind: 'handshake.offered', orderId, code },
      eventEmittedFact(order, 'ORDER_CANCELLATION_REQUEST', context, { reason, code }),
    ])
  },

  'handshake.answer'({ orderId, answer, code, reason }, context) {
    const found = findOrder(orderId, context.world)
    if (!found.ok) return found
    const { order, status } = found.value
    const { orders: refusalStatus } = context.settings.conduct.invalidTransition
    if (!context.world.v1.handshakes.has(orderId))
      return refuse(
        'INVALID_TRANSITION',
        `no cancellation request is open for the order ${orderId}`,
        refusalStatus,
      )
    if (orderStep(status, 'cancel', order.fulfillment.orderType).kind !== 'moves')
      return refuse(
        'INVALID_TRANSITION',
        `the order ${orderId} is ${status} meanwhile`,
        refusalStatus,
      )
    const metadata = compact({ reason, code })
    return ok([
      { kind: 'handshake.answered', orderId, answer },
      ...(answer === 'deny'
        ? [eventEmittedFact(order, 'CANCELLED_DENIED', context, metadata)]
        : []),
    ])
  },

  /** Our Software Service answers by a call. */
  'legacy.answer'(
    { orderId, answer, code = 'DISH_ALREADY_DONE', reason = 'já está pronto' },
    context,
  ) {
    if (!context.world.store.tickets.has(orderId))
      return refuse('NOT_FOUND', `the Software Service knows no order ${orderId}`)
    if (!mayCallOrderingApplication(context))
      return refuse(
        'CONFLICT',
        'the Ordering Application is not called before its manifest is valid',
      )
    const call = {
      from: 'software-service',
      to: 'ordering-application',
      params: { orderId },
      attempt: 1,
    } as const
    return ok([
      answer === 'accept'
        ? callPlacedFact({ ...call, operation: 'acceptCancellationV1' }, context)
        : callPlacedFact(
            { ...call, operation: 'denyCancellationV1', body: { reason, code } },
            context,
          ),
    ])
  },
}
