/** Loose schemas of the parts of order documents and events that the service needs; unknown fields pass. */
import { z } from 'zod'
import { profiles, statuses } from './lifecycle.ts'

const Any = z.looseObject({})
const Price = z.looseObject({ value: z.number(), currency: z.string() })

export const OrderDocument = z.looseObject({
  id: z.string().min(1),
  displayId: z.string().optional(),
  status: z.enum(statuses),
  lastEvent: z.string().optional(),
  merchant: z.looseObject({ id: z.string(), name: z.string().optional() }),
  fulfillment: z.looseObject({
    orderType: z.enum(profiles),
    delivery: z.looseObject({ address: Any.optional() }).optional(),
    takeout: z.looseObject({ pickupCode: z.string().optional() }).optional(),
  }),
  customer: z
    .looseObject({
      name: z.string().optional(),
      phone: z.looseObject({ number: z.string().optional() }).optional(),
    })
    .optional(),
  items: z.array(
    z.looseObject({
      quantity: z.number().default(1),
      pricing: z.looseObject({ unitPrice: Price }).optional(),
    }),
  ),
  timing: z.looseObject({ preparationStartDateTime: z.string().optional() }).optional(),
  total: z.looseObject({ orderAmount: Price.optional() }).optional(),
  payments: z
    .looseObject({
      methods: z.array(Price.extend({ type: z.string(), method: z.string() })).default([]),
    })
    .optional(),
})
export type OrderDocument = z.infer<typeof OrderDocument>

/** `eventType` is open: unknown types must be accepted. */
export const OrderEvent = z.looseObject({
  eventId: z.string().min(1),
  eventType: z.string().min(1),
  orderId: z.string().min(1),
  createdAt: z.string().optional(),
})
export type OrderEvent = z.infer<typeof OrderEvent>

/** The part of an event that an acknowledgment needs. */
export const EventIdentity = OrderEvent.pick({ eventId: true })
