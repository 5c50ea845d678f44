/**
 * The flags of a V1 order: which optional calls the merchant is asked to make. V2 has manifests instead (fields.md,
 * 4.5).
 */
import type { z } from 'zod'
import type { OrderType } from '../orders/order.ts'
import type { V1Conduct } from './conduct.ts'

export interface V1Flags {
  readonly sendPreparing: boolean
  readonly sendDelivered: boolean
  readonly sendPickedUp: boolean
  readonly sendTracking: boolean
  /** Who delivers a DELIVERY order. */
  readonly deliveredBy: 'MERCHANT' | 'MARKETPLACE'
}

/**
 * The flags for an order of this profile; a flag is false where it does not apply, e.g. tracking without own delivery.
 */
export function v1FlagsOf(profile: OrderType, conduct: z.infer<typeof V1Conduct>): V1Flags {
  const { sends, deliveredBy } = conduct
  const ownDelivery = profile === 'DELIVERY' && deliveredBy === 'MERCHANT'
  return {
    sendPreparing: sends.preparing,
    sendDelivered: sends.delivered && ownDelivery,
    sendPickedUp: sends.pickedUp && profile === 'TAKEOUT',
    sendTracking: sends.tracking && ownDelivery,
    deliveredBy,
  }
}
