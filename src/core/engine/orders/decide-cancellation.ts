/**
 * Decides cancellations: of an order, requested by the merchant and answered by the Ordering Application (ORD-CAN-04 to
 * 06), or of an order line, which cannot be denied (ORD-ITM-01 to 05). The Ordering Application's own cancel is a
 * lifecycle trigger.
 */
import { compact } from '../../base/compact.ts'
import type { OrderItem } from '../../protocol/orders/items.ts'
import {
  paymentsAfterCancellation,
  remainingQuantity,
  totalAfterCancellation,
} from '../../protocol/orders/totals.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import { type Decision, type DecisionContext, type Decisions, decisionsOn } from '../decision.ts'
import { cancelDeliveryFirst } from '../logistics/cancel-delivery-first.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { decideRepeatedCancellation } from '../v1/refusals.ts'
import type { OrderRecord } from '../world.ts'
import { orderEventFacts } from './emit.ts'
import { cancellationAnswerFacts, grantPendingCancellation } from './cancellation-outcome.ts'
import { findOrder, isCancellable } from './record.ts'

/** Metadata of a cancellation event, without undefined fields. */
const definedFields = (
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function requestCancellation(
  record: OrderRecord,
  command: CommandOf<'cancellation.request'>,
  context: DecisionContext,
): Decision {
  const { orderId, request } = command
  const { status, cancellation } = record
  const { conduct } = context.settings
  const repeated = decideRepeatedCancellation(record, context)
  if (repeated) return repeated
  if (status === 'CANCELLED' || cancellation === 'asked' || cancellation === 'accept') return ok([])
  const impossible =
    status === 'DELIVERED' || status === 'CONCLUDED'
      ? 'it is over'
      : status === 'CREATED' && conduct.earlyCancellation === 'refuse'
        ? 'it is not confirmed'
        : undefined
  if (impossible !== undefined)
    return refuse(
      'INVALID_TRANSITION',
      `the order ${orderId} cannot be cancelled in ${status}: ${impossible}`,
      conduct.invalidTransition.orders,
    )
  const { code, reason, mode, outOfStockItems } = request
  return ok([
    {
      kind: 'cancellation.requested',
      orderId,
      ...compact({ code, reason }),
    },
    ...orderEventFacts(
      record.order,
      'CANCELLATION_REQUESTED',
      context,
      definedFields({ code, reason, mode, outOfStockItems }),
    ),
  ])
}

/**
 * Answers a request. An order that can no longer be cancelled is always denied: an acceptance without a following
 * CANCELLED would violate ORD-CAN-05.
 */
function answer(
  record: OrderRecord,
  command: CommandOf<'cancellation.answer'>,
  context: DecisionContext,
): Decision {
  const { orderId } = command
  const { cancellation } = record
  const isTooLate = !isCancellable(record, context.settings.conduct)
  const effectiveAnswer = command.answer === 'accept' && isTooLate ? 'deny' : command.answer
  if (cancellation === command.answer) return ok([])
  if (cancellation !== 'asked' && cancellation !== 'open')
    return refuse('CONFLICT', `there is no open cancellation request for the order ${orderId}`)
  if (effectiveAnswer !== 'accept')
    return ok(cancellationAnswerFacts(record, effectiveAnswer, context))
  const delivery = cancelDeliveryFirst('ordering-application', orderId, command, context)
  if (delivery.kind === 'first') return ok(delivery.facts)
  // The courier cannot be recalled: an order on its way to the customer is not cancelled (LOG-RUL-02).
  return delivery.kind === 'refused'
    ? ok(cancellationAnswerFacts(record, 'deny', context))
    : ok([...delivery.facts, ...cancellationAnswerFacts(record, 'accept', context)])
}

/** The order line to cancel; before confirmation no line can be cancelled (ORD-ITM-05). */
function findLine(
  { orderId, itemId }: CommandOf<'item.request-cancel' | 'item.cancel'>,
  { order, status }: OrderRecord,
  { settings }: DecisionContext,
): Result<OrderItem, Refusal> {
  const item = order.items.find(({ id }) => id === itemId)
  if (!item)
    return err({ code: 'NOT_FOUND', message: `the order ${orderId} has no item ${itemId}` })
  return status === 'CREATED'
    ? refuse(
        'UNPROCESSABLE',
        `an item of the order ${orderId} cannot be cancelled before it is confirmed: cancel the order with UNAVAILABLE_ITEM`,
        settings.conduct.earlyItemCancel,
      )
    : ok(item)
}

function requestItemCancellation(
  record: OrderRecord,
  command: CommandOf<'item.request-cancel'>,
  context: DecisionContext,
): Decision {
  const { orderId, itemId, cancellation } = command
  const { status } = record
  const found = findLine(command, record, context)
  if (!found.ok) return found
  const item = found.value
  if (item.status === 'CANCELLED' || status === 'CANCELLED') return ok([])
  if (status === 'DELIVERED' || status === 'CONCLUDED')
    return refuse(
      'INVALID_TRANSITION',
      `an item of the order ${orderId} cannot be cancelled in ${status}`,
      context.settings.conduct.invalidTransition.orders,
    )
  if (cancellation.quantity !== undefined && cancellation.quantity > remainingQuantity(item))
    return refuse(
      'UNPROCESSABLE',
      `of item ${itemId} only ${remainingQuantity(item)} are left, not ${cancellation.quantity}`,
    )
  return ok([{ kind: 'item.cancel-requested', orderId, itemId, cancellation }])
}

/** The order line with this quantity cancelled. */
function withCancelledQuantity(item: OrderItem, quantity: number): OrderItem {
  const cancelled = (item.quantityCancelled ?? 0) + quantity
  return {
    ...item,
    status: cancelled >= item.quantity ? 'CANCELLED' : 'PARTIALLY_CANCELLED',
    quantityCancelled: cancelled,
  }
}

function cancelItem(
  record: OrderRecord,
  command: CommandOf<'item.cancel'>,
  context: DecisionContext,
): Decision {
  const { orderId, itemId, cancellation } = command
  const { order, status } = record
  const found = findLine(command, record, context)
  if (!found.ok) return found
  const item = found.value
  const left = remainingQuantity(item)
  const over = status === 'CANCELLED' || status === 'CONCLUDED' || status === 'DELIVERED'
  // Two cancellations of one line may both have been accepted: the second gets what the first left.
  if (over || item.status === 'CANCELLED' || left === 0)
    return ok([{ kind: 'order.lapsed', orderId, trigger: 'cancel', status }])
  const quantity = Math.min(cancellation.quantity ?? left, left)
  const items = order.items.map((each) =>
    each.id === itemId ? withCancelledQuantity(each, quantity) : each,
  )
  const { code, reason, mode } = cancellation
  const nothingLeft = items.every((each) => each.status === 'CANCELLED')
  const total = totalAfterCancellation(order, items)
  const delivery = nothingLeft
    ? cancelDeliveryFirst('ordering-application', orderId, command, context)
    : undefined
  if (delivery?.kind === 'first') return ok(delivery.facts)
  return ok([
    ...(delivery?.kind === 'go' ? delivery.facts : []),
    {
      kind: 'item.cancelled',
      orderId,
      itemId,
      quantity,
      items,
      total,
      payments: paymentsAfterCancellation(order, total),
    },
    ...orderEventFacts(
      order,
      'ITEM_CANCELLED',
      context,
      definedFields({
        itemId,
        quantityCancelled: quantity,
        quantityRemaining: left - quantity,
        code,
        reason,
        mode,
      }),
    ),
    ...(nothingLeft
      ? ([
          ...grantPendingCancellation(record, context),
          { kind: 'order.moved', orderId, trigger: 'cancel', from: status, to: 'CANCELLED' },
          ...orderEventFacts(order, 'CANCELLED', context, definedFields({ code, reason })),
        ] as const)
      : []),
  ])
}

const onOrder = decisionsOn(({ orderId }: { readonly orderId: string }, { world }) =>
  findOrder(orderId, world),
)

export const cancellationDecisions: Decisions<
  CommandOf<'cancellation.request' | 'cancellation.answer' | 'item.request-cancel' | 'item.cancel'>
> = {
  'cancellation.request': onOrder(requestCancellation),
  'cancellation.answer': onOrder(answer),
  'item.request-cancel': onOrder(requestItemCancellation),
  'item.cancel': onOrder(cancelItem),
}
