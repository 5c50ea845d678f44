/** Schema of a tracking update: the Software Service reports its own courier; the order status is unaffected (ORD-UND-07). */
import { z } from 'zod'

export const TrackingUpdate = z.looseObject({
  deliveryTrackingInfo: z
    .looseObject({
      event: z
        .looseObject({ type: z.string(), message: z.string().optional(), datetime: z.string() })
        .optional(),
      problem: z
        .looseObject({ reason: z.string(), message: z.string().optional(), datetime: z.string() })
        .optional(),
      vehicle: z
        .looseObject({
          type: z.array(z.string()).max(10).optional(),
          licencePlate: z.string().optional(),
        })
        .optional(),
      eta: z
        .looseObject({
          pickupEtaInMinutes: z.int().optional(),
          pickupEtaDatetime: z.string().optional(),
          deliveryEtaInMinutes: z.int().optional(),
          deliveryEtaDatetime: z.string().optional(),
          maxDeliveryTime: z.string().optional(),
        })
        .optional(),
      deliveryPerson: z
        .looseObject({
          id: z.string().optional(),
          name: z.string().optional(),
          pictureURL: z.string().optional(),
        })
        .optional(),
      geoLocalization: z
        .looseObject({
          latitude: z.number().min(-90).max(90).optional(),
          longitude: z.number().min(-180).max(180).optional(),
        })
        .optional(),
      externalTrackingURL: z.string().optional(),
    })
    .optional(),
})
export type TrackingUpdate = z.infer<typeof TrackingUpdate>
