/** The flags of a V1 order: which calls the merchant is asked to make. V2 says it in manifests instead (fields.md, 4.5). */
import type { z } from 'zod'
import type { OrderType } from '../orders/order.ts'
import type { V1Conduct } from './conduct.ts'

export interface V1Flags {
  readonly sendPreparing: boolean
  readonly sendDelivered: boolean
  readonly sendPickedUp: boolean
  readonly sendTracking: boolean
  /** Who brings a DELIVERY order to its customer. */
  readonly deliveredBy: 'MERCHANT' | 'MARKETPLACE'
}

/** Each flag stands only where it means something: who does not deliver has no delivery to report. */
export function v1Flags(profile: OrderType, conduct: z.infer<typeof V1Conduct>): V1Flags {
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
