/** Handlers of the operations on one order. */
import type { CancellationRequest, ItemCancellation } from '../../protocol/orders/cancellation.ts'
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { TrackingUpdate } from '../../protocol/orders/tracking.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Command } from '../command.ts'
import type { Handlers, Input, CommandHandler } from '../handler.ts'
import type { Refusal } from '../refusal.ts'
import type { OrderRecord } from '../world.ts'
import { findOrder, orderText } from './record.ts'

export const orderIdOf = ({ params }: Input): string => params['orderId'] ?? ''

/** The order, if the client is authorized for its merchant; otherwise not found. */
export function visible(input: Input): Result<OrderRecord, Refusal> {
  const found = findOrder(orderIdOf(input), input.world)
  if (!found.ok) return found
  const merchants = input.client?.merchants
  return merchants && !merchants.includes(found.value.order.merchant.id)
    ? no({ code: 'NOT_FOUND', message: `there is no order ${orderIdOf(input)}` })
    : found
}

/** Handler of a command on an order that the client is authorized for. */
export const about = (command: (orderId: string, input: Input) => Command): CommandHandler => ({
  kind: 'command',
  command: (input) => {
    if (input.client?.merchants) {
      const found = visible(input)
      if (!found.ok) return found
    }
    return ok(command(orderIdOf(input), input))
  },
})

const requests = (trigger: ProgressionTrigger): CommandHandler =>
  about((orderId) => ({ kind: 'order.request', orderId, trigger }))

export const orderHandlers = {
  order: {
    kind: 'view',
    view: (input) => {
      const found = visible(input)
      return found.ok ? ok({ text: orderText(found.value) }) : found
    },
  },
  'order.confirm': requests('confirm'),
  'order.preparing': requests('preparing'),
  'order.ready-for-pickup': requests('ready-for-pickup'),
  'order.dispatch': requests('dispatch'),
  'order.delivered': requests('delivered'),
  'order.track': about((orderId, { body }) => ({
    kind: 'order.track',
    orderId,
    update: (body ?? {}) as TrackingUpdate,
  })),
  'order.request-cancellation': about((orderId, { body }) => ({
    kind: 'cancellation.request',
    orderId,
    request: (body ?? {}) as CancellationRequest,
  })),
  'order.cancel-item': about((orderId, { body, params }) => ({
    kind: 'item.request-cancel',
    orderId,
    itemId: params['itemId'] ?? '',
    cancellation: (body ?? {}) as ItemCancellation,
  })),
} satisfies Handlers
