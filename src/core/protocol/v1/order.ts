/**
 * Schema of the V1 order document, the body of GET /v1/orders/{orderId} (fields.md, 4.5). Unknown fields are preserved.
 */
import { z } from 'zod'
import { OrderDiscount, feeTypes, OrderPayments, OrderTotal } from '../orders/payments.ts'
import { Price } from '../orders/price.ts'
import { orderTypes } from '../orders/order.ts'
import { looseObject } from '../../base/lazy-object.ts'

const dateTime = z.iso.datetime({ offset: true })
const units = ['UN', 'KG', 'L', 'OZ', 'LB', 'GAL'] as const

const Line = () => ({
  index: z.int().optional(),
  id: z.string().min(1),
  name: z.string(),
  externalCode: z.string(),
  unit: z.enum(units),
  quantity: z.number().min(0),
  specialInstructions: z.string().optional(),
  unitPrice: Price,
  originalPrice: Price.optional(),
  totalPrice: Price,
})

/** V1 has one level of options only. */
export const V1Option = looseObject(Line)
export type V1Option = z.infer<typeof V1Option>

export const V1Item = looseObject(() => ({
  ...Line(),
  optionsPrice: Price.optional(),
  subtotalPrice: Price.optional(),
  scalePriceApplied: z.boolean().optional(),
  options: z.array(V1Option).optional(),
}))
export type V1Item = z.infer<typeof V1Item>

const DeliveryAddress = looseObject(() => ({
  country: z.string().regex(/^[A-Z]{2}$/),
  state: z.string(),
  city: z.string(),
  district: z.string(),
  street: z.string(),
  number: z.string(),
  complement: z.string().optional(),
  reference: z.string().optional(),
  formattedAddress: z.string(),
  postalCode: z.string(),
  coordinates: z.looseObject({ latitude: z.number(), longitude: z.number() }),
}))

const Delivery = looseObject(() => ({
  deliveredBy: z.enum(['MERCHANT', 'MARKETPLACE']),
  deliveryAddress: DeliveryAddress,
  estimatedDeliveryDateTime: dateTime,
  deliveryDateTime: dateTime.optional(),
  pickupCode: z.string().optional(),
}))

const Takeout = looseObject(() => ({
  mode: z.enum(['DEFAULT', 'PICKUP_AREA']),
  takeoutDateTime: dateTime,
}))

const Indoor = looseObject(() => ({
  mode: z.enum(['DEFAULT', 'PLACE', 'TAB', 'TERMINAL']),
  indoorDateTime: dateTime,
  place: z.string().optional(),
  tab: z.string().optional(),
  seat: z.string().optional(),
  waiterCode: z.string().optional(),
}))

export const V1Order = looseObject(() => ({
  id: z.string().min(1),
  type: z.enum(orderTypes),
  displayId: z.string(),
  sourceAppId: z.string().optional(),
  salesChannel: z.string().optional(),
  virtualBrand: z.string().optional(),
  category: z.enum(['FOOD', 'GROCERY', 'DRUGSTORE', 'PETSTORE']).optional(),
  createdAt: dateTime,
  /** Open, like an event's type. */
  lastEvent: z.string().optional(),
  orderTiming: z.enum(['INSTANT', 'SCHEDULED', 'ONDEMAND']),
  preparationStartDateTime: dateTime,
  merchant: z.looseObject({ id: z.string().min(1), name: z.string() }),
  items: z.array(V1Item).min(1),
  otherFees: z
    .array(
      z.looseObject({
        name: z.string(),
        type: z.enum(feeTypes),
        receivedBy: z.enum(['MARKETPLACE', 'MERCHANT', 'LOGISTIC_SERVICES']),
        price: Price,
        observation: z.string().optional(),
      }),
    )
    .optional(),
  discounts: z.array(OrderDiscount).optional(),
  total: OrderTotal,
  payments: OrderPayments,
  taxInvoice: z
    .looseObject({ issued: z.boolean().optional(), taxInvoiceURL: z.string().optional() })
    .optional(),
  customer: z
    .looseObject({
      id: z.string(),
      name: z.string(),
      documentNumber: z.string().optional(),
      phone: z.looseObject({ number: z.string(), extension: z.string().optional() }),
      email: z.string().optional(),
      ordersCountOnMerchant: z.number(),
    })
    .optional(),
  schedule: z
    .looseObject({ scheduledDateTimeStart: dateTime, scheduledDateTimeEnd: dateTime })
    .optional(),
  orderPriority: z
    .enum(['PRIORITY1', 'PRIORITY2', 'PRIORITY3', 'PRIORITY4', 'PRIORITY5'])
    .optional(),
  delivery: Delivery.optional(),
  takeout: Takeout.optional(),
  indoor: Indoor.optional(),
  sendPreparing: z.boolean().optional(),
  sendDelivered: z.boolean().optional(),
  sendPickedUp: z.boolean().optional(),
  sendTracking: z.boolean().optional(),
  extraInfo: z.string().optional(),
}))
export type V1Order = z.infer<typeof V1Order>
