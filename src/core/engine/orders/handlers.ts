/** Handlers of the operations on one order. */
import { compact } from '../../base/compact.ts'
import type { CancellationRequest, ItemCancellation } from '../../protocol/orders/cancellation.ts'
import type { OrderDetails } from '../../protocol/orders/details.ts'
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Command } from '../command.ts'
import type { OperationHandlers, HandlerInput, CommandHandler } from '../handler.ts'
import type { Refusal } from '../refusal.ts'
import type { OrderRecord } from '../world.ts'
import { findOrder, orderView } from './record.ts'
import type { Order } from '../../protocol/orders/order.ts'

/**
 * The code that the customer shows at the handover of the food: the pickup code of a TAKEOUT order, else the last four
 * digits of the customer's telephone number, as real partners do.
 */
function deliveryCodeOf({ fulfillment, customer }: Order): string | undefined {
  const { pickupCode } = fulfillment.takeout ?? {}
  return pickupCode ?? customer?.phone.number.replaceAll(/\D/g, '').slice(-4)
}

export const orderIdParam = ({ params }: HandlerInput): string => params['orderId'] ?? ''

/** The order, if the client is authorized for its merchant; otherwise not found. */
export function findVisibleOrder(input: HandlerInput): Result<OrderRecord, Refusal> {
  const found = findOrder(orderIdParam(input), input.world)
  if (!found.ok) return found
  const merchants = input.client?.merchants
  return merchants && !merchants.includes(found.value.order.merchant.id)
    ? err({ code: 'NOT_FOUND', message: `there is no order ${orderIdParam(input)}` })
    : found
}

/** Handler of a command on an order that the client is authorized for. */
export const orderCommandHandler = (
  command: (orderId: string, input: HandlerInput) => Command,
): CommandHandler => ({
  kind: 'command',
  command: (input) => {
    if (input.client?.merchants) {
      const found = findVisibleOrder(input)
      if (!found.ok) return found
    }
    return ok(command(orderIdParam(input), input))
  },
})

const requests = (trigger: ProgressionTrigger): CommandHandler =>
  orderCommandHandler((orderId) => ({ kind: 'order.request', orderId, trigger }))

/** Adds details to an order that the client is authorized for. */
export const amendOrder: CommandHandler['command'] = (input) => {
  const found = findVisibleOrder(input)
  if (!found.ok) return found
  const { preparationStartDateTime, observations } = input.body as OrderDetails
  const details = compact({ preparationStartDateTime, observations })
  return ok({ kind: 'order.amend', orderId: orderIdParam(input), details })
}

export const orderHandlers = {
  order: {
    kind: 'view',
    view: (input) => {
      const found = findVisibleOrder(input)
      return found.ok ? ok({ text: JSON.stringify(orderView(found.value)) }) : found
    },
  },
  'order.amend': {
    kind: 'command',
    command: amendOrder,
    answer: (_facts, input) => {
      const record = input.world.ordering.orders.get(orderIdParam(input))
      return record ? { body: orderView(record) } : {}
    },
  },
  'order.validate-code': {
    kind: 'view',
    view: (input) => {
      const found = findVisibleOrder(input)
      if (!found.ok) return found
      // Some partners have it in the path.
      const deliveryCode = input.params['deliveryCode'] ?? input.query('deliveryCode')[0]
      const expected = deliveryCodeOf(found.value.order)
      return deliveryCode !== undefined && deliveryCode === expected
        ? ok({ body: { orderId: found.value.order.id, deliveryCode } })
        : err({
            code: 'INVALID_PAYLOAD',
            message: `deliveryCode ${deliveryCode === undefined ? 'is missing' : 'is not the one that the customer has'}`,
          })
    },
  },
  'order.confirm': requests('confirm'),
  'order.preparing': requests('preparing'),
  'order.ready-for-pickup': requests('ready-for-pickup'),
  'order.dispatch': requests('dispatch'),
  'order.delivered': requests('delivered'),
  'order.track': orderCommandHandler((orderId, { body }) => ({
    kind: 'order.track',
    orderId,
    update: body ?? {},
  })),
  'order.request-cancellation': orderCommandHandler((orderId, { body }) => ({
    kind: 'cancellation.request',
    orderId,
    request: (body ?? {}) as CancellationRequest,
  })),
  'order.cancel-item': orderCommandHandler((orderId, { body, params }) => ({
    kind: 'item.request-cancel',
    orderId,
    itemId: params['itemId'] ?? '',
    cancellation: (body ?? {}) as ItemCancellation,
  })),
} satisfies OperationHandlers
