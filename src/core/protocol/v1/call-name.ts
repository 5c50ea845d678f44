/** What a Software Service calls for a trigger of an order, as the paths of the generation in use name it. */
import { type ProtocolGeneration, speaksV1 } from '../dialects/settings.ts'
import { type OrderTrigger, progressionTriggers } from '../orders/lifecycle.ts'
import type { OrderType } from '../orders/order.ts'
import { v1FlagsOf } from './flags.ts'

interface NamingConduct {
  readonly speaks: ProtocolGeneration
  readonly v1: Parameters<typeof v1FlagsOf>[1]
}

/** Undefined for a trigger that no call fires, or that an order of V1 does not ask for. */
export function orderCallName(
  trigger: OrderTrigger,
  profile: OrderType,
  conduct: NamingConduct,
): string | undefined {
  if (trigger === 'cancel') return 'requestCancellation'
  if (!progressionTriggers.some((each) => each === trigger)) return undefined
  if (!speaksV1(conduct)) return trigger
  const { sendPreparing, sendDelivered, sendPickedUp } = v1FlagsOf(profile, conduct.v1)
  if (trigger === 'ready-for-pickup') return 'readyForPickup'
  if (trigger === 'preparing') return sendPreparing ? trigger : undefined
  if (trigger !== 'delivered') return trigger
  return sendPickedUp ? 'pickedUp' : sendDelivered ? trigger : undefined
}
