/** What the store needs of the order document and of an event, and what it takes them to be when they say more. */
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
  items: z.array(Any),
  total: z.looseObject({ orderAmount: Price.optional() }).optional(),
})
export type OrderDocument = z.infer<typeof OrderDocument>

/** Its type is open: there are events that nobody told us of. */
export const OrderEvent = z.looseObject({
  eventId: z.string().min(1),
  eventType: z.string().min(1),
  orderId: z.string().min(1),
  createdAt: z.string().optional(),
})
export type OrderEvent = z.infer<typeof OrderEvent>

/** The least of an event: what it takes to acknowledge it. */
export const Identified = OrderEvent.pick({ eventId: true })
