/**
 * Schema of the order document, the body of GET /orders/{orderId} (document 2, Resources; unspecified shapes from
 * spec/fields.md). Unknown fields are preserved, since a partner may send additional ones (ORD-UND-01).
 */
import { z } from 'zod'
import { IndoorBlock } from './indoor-block.ts'
import { OrderItem } from './items.ts'
import { OrderDiscount, OtherFee, OrderPayments, OrderTotal } from './payments.ts'
import { looseObject } from '../../base/lazy-object.ts'

export const orderTypes = ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const
export const OrderType = z.enum(orderTypes)
/** The profile of an order: how the food reaches the customer. */
export type OrderType = z.infer<typeof OrderType>

export const orderStatuses = [
  'CREATED',
  'CONFIRMED',
  'PREPARING',
  'READY',
  'IN_DELIVERY',
  'DELIVERED',
  'CANCELLED',
  'CONCLUDED',
] as const
export const OrderStatus = z.enum(orderStatuses)
export type OrderStatus = z.infer<typeof OrderStatus>

const dateTime = z.iso.datetime({ offset: true })

const BillingAddress = looseObject(() => ({
  street: z.string().optional(),
  number: z.string().optional(),
  complement: z.string().optional(),
  neighborhood: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  postalCode: z.string().optional(),
}))

export const DeliveryAddress = looseObject(() => ({
  street: z.string().optional(),
  complement: z.string().optional(),
  neighborhood: z.string().optional(),
  city: z.string().optional(),
  state: z.string().optional(),
  postalCode: z.string().optional(),
  coordinates: z
    .looseObject({ latitude: z.number().optional(), longitude: z.number().optional() })
    .optional(),
}))

const DeliveryBlock = looseObject(() => ({
  address: DeliveryAddress.optional(),
  estimatedDeliveryDateTime: dateTime.optional(),
  observations: z.string().optional(),
}))

const TakeoutBlock = looseObject(() => ({
  pickupCode: z.string().optional(),
  observations: z.string().optional(),
}))

const blockOf = { DELIVERY: 'delivery', TAKEOUT: 'takeout', INDOOR: 'indoor' } as const

/** Only the block that belongs to `orderType` may be present (ORD-FLD-05). */
export const Fulfillment = looseObject(() => ({
  orderType: OrderType,
  billingAddress: BillingAddress.optional(),
  delivery: DeliveryBlock.optional(),
  takeout: TakeoutBlock.optional(),
  indoor: IndoorBlock.optional(),
})).check((context) => {
  const expectedBlock = blockOf[context.value.orderType]
  for (const block of Object.values(blockOf))
    if (block !== expectedBlock && context.value[block] !== undefined)
      context.issues.push({
        code: 'custom',
        input: context.value[block],
        path: [block],
        message: `fulfillment.${block} does not belong to a ${context.value.orderType} order`,
      })
  if (expectedBlock === 'indoor' && context.value.indoor === undefined)
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: ['indoor'],
      message: 'an INDOOR order needs fulfillment.indoor',
    })
})

export const OrderCustomer = looseObject(() => ({
  id: z.string(),
  name: z.string(),
  documentNumber: z.string().optional(),
  phone: z.looseObject({ number: z.string(), extension: z.string().optional() }),
  email: z.string().optional(),
  ordersCountOnMerchant: z.int(),
  birthDate: z.iso.date().optional(),
  gender: z.string().optional(),
}))

/** `timing.schedule` is required when the timing is SCHEDULED (ORD-FLD-07). */
export const OrderTiming = looseObject(() => ({
  orderTiming: z.enum(['INSTANT', 'SCHEDULED', 'ONDEMAND']),
  schedule: z
    .looseObject({ scheduledDateTimeStart: dateTime, scheduledDateTimeEnd: dateTime })
    .optional(),
  preparationStartDateTime: dateTime.optional(),
  orderPriority: z
    .enum(['PRIORITY1', 'PRIORITY2', 'PRIORITY3', 'PRIORITY4', 'PRIORITY5'])
    .optional(),
})).refine((timing) => timing.orderTiming !== 'SCHEDULED' || timing.schedule !== undefined, {
  path: ['schedule'],
  message: 'a SCHEDULED order needs timing.schedule',
})

/** Order level, not per item; absent means CANCEL_ORDER (ORD-FLD-10). */
export const UnavailabilityPreference = z.enum(['REMOVE_ITEM', 'CANCEL_ORDER'])
export type UnavailabilityPreference = z.infer<typeof UnavailabilityPreference>

export const Order = looseObject(() => ({
  id: z.string().min(1).max(200),
  displayId: z.string(),
  createdAt: dateTime,
  sourceAppId: z.string().optional(),
  merchant: z.looseObject({
    id: z.string(),
    externalCode: z.string().optional(),
    name: z.string().optional(),
  }),
  fulfillment: Fulfillment,
  status: OrderStatus,
  /** Open, like an event's type: a vendor-specific event must not invalidate the order. */
  lastEvent: z.string().optional(),
  customer: OrderCustomer.optional(),
  timing: OrderTiming,
  items: z.array(OrderItem).min(1),
  otherFees: z.array(OtherFee).optional(),
  discounts: z.array(OrderDiscount).optional(),
  total: OrderTotal,
  payments: OrderPayments,
  taxInvoice: z
    .looseObject({ issued: z.boolean().optional(), taxInvoiceURL: z.string().optional() })
    .optional(),
  context: z.looseObject({ salesChannel: z.string().optional() }).optional(),
  observations: z.string().optional(),
  extraInfo: z.string().optional(),
  unavailabilityPreference: UnavailabilityPreference.optional(),
})).refine((order) => order.fulfillment.orderType !== 'DELIVERY' || order.customer !== undefined, {
  path: ['customer'],
  message: 'a DELIVERY order needs its customer',
})
export type Order = z.infer<typeof Order>
