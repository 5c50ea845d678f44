/**
 * V1's cancellation handshake: before an originator cancels, it asks the merchant, who accepts or denies (fields.md,
 * 4.4). When denied, the order continues and no event announces that.
 */
import { compact } from '../../compact.ts'
import { originatorCancellationCodes } from '../../protocol/orders/cancellation.ts'
import { orderStep } from '../../protocol/orders/lifecycle.ts'
import { ok, assertNever } from '../../protocol/result.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { eventEmittedFact } from '../orders/emit.ts'
import { findOrder } from '../orders/record.ts'
import { mayCallOrderingApplication } from '../orders/tickets.ts'
import { refuse } from '../refusal.ts'
import type { V1Command } from './command.ts'

type Of<Kind extends V1Command['kind']> = Extract<V1Command, { kind: Kind }>

export function decideV1(command: V1Command, context: DecisionContext): Decision {
  switch (command.kind) {
    case 'handshake.offer':
      return offer(command, context)
    case 'handshake.answer':
      return answer(command, context)
    case 'legacy.answer':
      return reply(command, context)
    default:
      return assertNever(command)
  }
}

function offer(command: Of<'handshake.offer'>, context: DecisionContext): Decision {
  const { orderId, reason = 'o cliente desistiu' } = command
  const code = command.code ?? originatorCancellationCodes[0]
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
}

function answer(command: Of<'handshake.answer'>, context: DecisionContext): Decision {
  const { orderId, answer: given, code, reason } = command
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
    { kind: 'handshake.answered', orderId, answer: given },
    ...(given === 'deny' ? [eventEmittedFact(order, 'CANCELLED_DENIED', context, metadata)] : []),
  ])
}

/** Our Software Service answers by a call. */
function reply(command: Of<'legacy.answer'>, context: DecisionContext): Decision {
  const { orderId, answer: given, code = 'DISH_ALREADY_DONE', reason = 'já está pronto' } = command
  if (!context.world.store.tickets.has(orderId))
    return refuse('NOT_FOUND', `the Software Service knows no order ${orderId}`)
  if (!mayCallOrderingApplication(context))
    return refuse('CONFLICT', 'the Ordering Application is not called before its manifest is valid')
  const call = {
    from: 'software-service',
    to: 'ordering-application',
    params: { orderId },
    attempt: 1,
  } as const
  return ok([
    given === 'accept'
      ? callPlacedFact({ ...call, operation: 'acceptCancellationV1' }, context)
      : callPlacedFact(
          { ...call, operation: 'denyCancellationV1', body: { reason, code } },
          context,
        ),
  ])
}
