/**
 * Translates a call planned as V2 into V1 where the partner speaks V1: another operation, and another body where V1
 * requires more. The planning code does not know about V1.
 */
import { compact } from '../../base/compact.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { v1OperationOf } from '../../protocol/v1/operation-names.ts'
import type { CallIntent } from '../calls/call.ts'
import type { DecisionContext } from '../decision.ts'
import { isoOf } from '../instant.ts'
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { type V1EventType, v1EventTypeFor } from '../../protocol/v1/events.ts'
import { v1FlagsOf } from '../../protocol/v1/flags.ts'
import type { Settings } from '../settings.ts'

/** The type to emit for a V2 event; undefined when V1 has no such type, or the session declares it unsupported. */
export function eventTypeInDialect(
  { fulfillment }: Order,
  type: OrderEventType,
  { conduct }: Settings,
): OrderEventType | V1EventType | undefined {
  if (conduct.unsupportedEvents.includes(type)) return undefined
  if (!speaksV1(conduct)) return type
  const profile = fulfillment.orderType
  return v1EventTypeFor(type, profile, v1FlagsOf(profile, conduct.v1))
}

type CallTranslator = (call: CallIntent, context: DecisionContext) => CallIntent

/** V1 acknowledgments repeat the event, not only its id. */
const toV1Acknowledgment: CallTranslator = (call, { world }) => {
  const { eventIds } = call.body as { eventIds?: readonly string[] }
  // Some V1 partners accept less, as configured.
  if (eventIds === undefined) return call
  return { ...call, body: eventIds.map((id) => ({ id, ...world.v1.heard.get(id) })) }
}

const toV1Confirmation: CallTranslator = (call, { world, now }) => {
  const orderId = call.params?.['orderId'] ?? ''
  const v2Body = call.body as { estimatedPreparationTimeMinutes?: number } | undefined
  const minutes = v2Body?.estimatedPreparationTimeMinutes
  return {
    ...call,
    body: {
      createdAt: isoOf(now),
      orderExternalCode: world.store.tickets.get(orderId)?.order?.displayId ?? orderId,
      ...compact({ preparationTime: minutes }),
    },
  }
}

/** Takeout orders are picked up, delivery orders delivered. */
const toV1Delivered: CallTranslator = (call, { world }) => {
  const profile = world.store.tickets.get(call.params?.['orderId'] ?? '')?.profile
  return profile === 'DELIVERY' ? call : { ...call, operation: 'setOrderPickedUpV1' }
}

const toV1CancellationRequest: CallTranslator = (call) => ({
  ...call,
  body: {
    reason: 'sem mais informações',
    code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
    mode: 'MANUAL',
    ...(call.body as object | undefined),
  },
})

const translators: Readonly<Partial<Record<CallIntent['operation'], CallTranslator>>> = {
  acknowledgeEvents: toV1Acknowledgment,
  confirmOrder: toV1Confirmation,
  setOrderDelivered: toV1Delivered,
  requestCancellation: toV1CancellationRequest,
}

export function callInDialect(call: CallIntent, context: DecisionContext): CallIntent {
  const name = v1OperationOf(call.operation)
  if (name === undefined || !speaksV1(context.settings.conduct)) return call
  const translated = translators[call.operation]?.(call, context) ?? call
  return translated.operation === call.operation ? { ...translated, operation: name } : translated
}
