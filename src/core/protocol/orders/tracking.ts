/**
 * Schema of a tracking update: the Software Service reports its own courier; the order status is unaffected
 * (ORD-UND-07).
 */
import { z } from 'zod'
import { problemReasons } from '../logistics/bodies.ts'
import { plainObject } from '../../base/lazy-object.ts'

/** Steps, problems and vehicles of the public standard (fields.md, O20); a host takes other words too. */
export const trackingEventTypes = [
  'PICKUP_ONGOING',
  'ARRIVED_AT_MERCHANT',
  'ORDER_PICKED',
  'DELIVERY_ONGOING',
  'ARRIVED_AT_CUSTOMER',
  'ORDER_DELIVERED',
  'CANCELLED',
] as const
export const trackedProblems = problemReasons.filter((reason) => reason !== 'OTHER')
export const trackedVehicles = [
  'MOTORBIKE_BAG',
  'MOTORBIKE_BOX',
  'CAR',
  'BICYCLE',
  'SCOOTER',
  'VUC',
] as const

/** No document states a length. What is reported of a courier is kept with its order; unknown members are dropped. */
const text = z.string().max(2000)

export const TrackingUpdate = plainObject(() => ({
  deliveryTrackingInfo: z
    .object({
      event: z.object({ type: text, message: text.optional(), datetime: text }).optional(),
      problem: z.object({ reason: text, message: text.optional(), datetime: text }).optional(),
      vehicle: z
        .object({
          type: z.array(text).max(10).optional(),
          licencePlate: text.optional(),
        })
        .optional(),
      eta: z
        .object({
          pickupEtaInMinutes: z.int().optional(),
          pickupEtaDatetime: text.optional(),
          deliveryEtaInMinutes: z.int().optional(),
          deliveryEtaDatetime: text.optional(),
          maxDeliveryTime: text.optional(),
        })
        .optional(),
      deliveryPerson: z
        .object({
          id: text.optional(),
          name: text.optional(),
          pictureURL: text.optional(),
        })
        .optional(),
      geoLocalization: z
        .object({
          latitude: z.number().min(-90).max(90).optional(),
          longitude: z.number().min(-180).max(180).optional(),
        })
        .optional(),
      externalTrackingURL: text.optional(),
    })
    .optional(),
}))
export type TrackingUpdate = z.infer<typeof TrackingUpdate>
