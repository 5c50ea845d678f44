/** Handlers of the V1 operations at the Ordering Application. */
import { compact } from '../../base/compact.ts'
import { urlInDialect } from '../../protocol/dialects/paths.ts'
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import { err, ok } from '../../protocol/result.ts'
import type { V1Denial } from '../../protocol/v1/bodies.ts'
import { type V1Flags, v1FlagsOf } from '../../protocol/v1/flags.ts'
import { toV1Order } from '../../protocol/v1/to-v1.ts'
import type { Command } from '../command.ts'
import type { HandlerAnswer, OperationHandlers, HandlerInput, CommandHandler } from '../handler.ts'
import { isoOf } from '../instant.ts'
import {
  amendOrder,
  orderCommandHandler,
  orderIdParam,
  findVisibleOrder,
} from '../orders/handlers.ts'

const flagsOf = (input: HandlerInput): V1Flags | undefined => {
  const record = input.world.ordering.orders.get(orderIdParam(input))
  return record && v1FlagsOf(record.order.fulfillment.orderType, input.settings.conduct.v1)
}

type Flag = Exclude<keyof V1Flags, 'deliveredBy'>

/** A call that is valid only for orders with this flag. */
const flagged = (
  flag: Flag,
  command: (orderId: string, input: HandlerInput) => Command,
): CommandHandler => ({
  kind: 'command',
  command: (input) => {
    const found = findVisibleOrder(input)
    if (!found.ok) return found
    return flagsOf(input)?.[flag] === true
      ? ok(command(orderIdParam(input), input))
      : err({
          code: 'INVALID_TRANSITION',
          message: `the order ${orderIdParam(input)} does not ask for this call: ${flag} is false`,
          status: 422,
        })
  },
})

const requestTrigger =
  (trigger: ProgressionTrigger) =>
  (orderId: string): Command => ({ kind: 'order.request', orderId, trigger })

/** The order in V1's format. */
function documentOf(input: HandlerInput): HandlerAnswer {
  const record = input.world.ordering.orders.get(orderIdParam(input))
  if (!record) return {}
  const { v1 } = input.settings.conduct
  const flags = v1FlagsOf(record.order.fulfillment.orderType, v1)
  return { body: toV1Order(record.order, flags, v1.lastEvent ? record.lastEvent : undefined) }
}

export const v1Handlers = {
  'v1.versions': {
    kind: 'view',
    view: ({ settings: { protocol, channels } }) => {
      const version = protocol.version.replace(/^v/i, '')
      const availableEventsMethods = [
        ...(channels.polling ? ['POLLING'] : []),
        ...(channels.webhook ? ['WEBHOOK'] : []),
      ]
      return ok({ body: { merchant: { version }, order: { version, availableEventsMethods } } })
    },
  },
  'v1.merchant-versions': {
    kind: 'view',
    view: ({ host, origin, base, served, settings: { conduct } }) => {
      const webhook = served.find((row) => row.webhook === 'orders')
      const ordersWebhook = webhook && urlInDialect(webhook, { role: host, base: origin }, conduct)
      return ok({ body: { merchantEndpoint: base, ...compact({ ordersWebhook }) } })
    },
  },
  'v1.merchant-onboarding': {
    kind: 'view',
    view: ({ query, settings: { merchants } }) => {
      const [asked] = query('merchantId')
      const own = merchants.find(({ merchantId }) => merchantId === asked) ?? merchants[0]
      return ok({ body: { orderingAppMerchantId: own?.merchantId ?? asked ?? '' } })
    },
  },
  'v1.merchant-update': { kind: 'view', view: () => ok({}) },
  'v1.merchant-status': {
    kind: 'view',
    view: ({ query, now }) => {
      query('merchantId')
      return ok({ body: { lastRead: isoOf(now), status: 'SUCCESS' } })
    },
  },
  'v1.details': {
    kind: 'command',
    command: amendOrder,
    answer: (_facts, input) => documentOf(input),
  },
  'v1.order': {
    kind: 'view',
    view: (input) => {
      const found = findVisibleOrder(input)
      return found.ok ? ok(documentOf(input)) : found
    },
  },
  'v1.confirm': orderCommandHandler(requestTrigger('confirm')),
  'v1.preparing': flagged('sendPreparing', requestTrigger('preparing')),
  'v1.ready-for-pickup': orderCommandHandler(requestTrigger('ready-for-pickup')),
  'v1.picked-up': flagged('sendPickedUp', requestTrigger('delivered')),
  'v1.dispatch': orderCommandHandler(requestTrigger('dispatch')),
  'v1.delivered': flagged('sendDelivered', requestTrigger('delivered')),
  'v1.track': flagged('sendTracking', (orderId, { body }) => ({
    kind: 'order.track',
    orderId,
    update: body ?? {},
  })),
  'v1.accept-cancellation': orderCommandHandler((orderId) => ({
    kind: 'handshake.answer',
    orderId,
    answer: 'accept',
  })),
  'v1.deny-cancellation': orderCommandHandler((orderId, { body }) => {
    const { reason, code } = body as V1Denial
    return { kind: 'handshake.answer', orderId, answer: 'deny', reason, code }
  }),
} satisfies OperationHandlers
