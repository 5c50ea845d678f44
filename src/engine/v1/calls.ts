/**
 * Translates a call planned as V2 into V1 where the partner speaks V1: another operation, and another body where V1
 * requires more. The planning code does not know about V1.
 */
import { compact } from '../../compact.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { v1NameOf } from '../../protocol/v1/names.ts'
import type { CallIntent } from '../calls/call.ts'
import type { Context } from '../decision.ts'
import { isoOf } from '../instant.ts'

type Speaker = (call: CallIntent, context: Context) => CallIntent

/** V1 acknowledgments repeat the event, not only its id. */
const acknowledging: Speaker = (call, { world }) => {
  const { eventIds } = call.body as { eventIds?: readonly string[] }
  // Some V1 partners accept less, as configured.
  if (eventIds === undefined) return call
  return { ...call, body: eventIds.map((id) => ({ id, ...world.v1.heard.get(id) })) }
}

const confirming: Speaker = (call, { world, now }) => {
  const orderId = call.params?.['orderId'] ?? ''
  const said = call.body as { estimatedPreparationTimeMinutes?: number } | undefined
  const minutes = said?.estimatedPreparationTimeMinutes
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
const delivering: Speaker = (call, { world }) => {
  const profile = world.store.tickets.get(call.params?.['orderId'] ?? '')?.profile
  return profile === 'DELIVERY' ? call : { ...call, operation: 'setOrderPickedUpV1' }
}

const requesting: Speaker = (call) => ({
  ...call,
  body: {
    reason: 'sem mais informações',
    code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
    mode: 'MANUAL',
    ...(call.body as object | undefined),
  },
})

const speakers: Readonly<Partial<Record<CallIntent['operation'], Speaker>>> = {
  acknowledgeEvents: acknowledging,
  confirmOrder: confirming,
  setOrderDelivered: delivering,
  requestCancellation: requesting,
}

export function spokenCall(call: CallIntent, context: Context): CallIntent {
  const name = v1NameOf(call.operation)
  if (name === undefined || !speaksV1(context.settings.conduct)) return call
  const spoken = speakers[call.operation]?.(call, context) ?? call
  return spoken.operation === call.operation ? { ...spoken, operation: name } : spoken
}
