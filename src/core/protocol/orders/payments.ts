/** Schemas of payments, fees, discounts and totals of an order. */
import { z } from 'zod'
import { Price } from './price.ts'
import { looseObject } from '../../base/lazy-object.ts'

export const feeTypes = ['DELIVERY_FEE', 'SERVICE_FEE', 'TIP', 'MIN_ORDER_FEE'] as const

export const OtherFee = looseObject(() => ({
  name: z.string(),
  type: z.enum(feeTypes),
  receivedBy: z.enum(['MARKETPLACE', 'MERCHANT', 'LOGISTIC_SERVICES']).optional(),
  price: Price,
}))

export const OrderDiscount = looseObject(() => ({
  amount: Price,
  target: z.enum(['CART', 'DELIVERY_FEE', 'ITEM']),
  /** Id of the item, when the target is ITEM. */
  targetId: z.string().optional(),
  /** The sponsors of the discount; their amounts add up to its amount. */
  sponsorshipValues: z.array(
    z.looseObject({
      name: z.enum(['MARKETPLACE', 'MERCHANT', 'CHAIN']),
      amount: Price,
      discountCode: z.string().optional(),
    }),
  ),
}))

export const paymentMethods = [
  'CREDIT',
  'DEBIT',
  'MEAL_VOUCHER',
  'FOOD_VOUCHER',
  'DIGITAL_WALLET',
  'PIX',
  'CASH',
  'CREDIT_DEBIT',
  'COUPON',
  'REDEEM',
  'PREPAID_REDEEM',
  'OTHER',
] as const

export const paymentBrands = [
  'VISA',
  'MASTERCARD',
  'DINERS',
  'AMEX',
  'HIPERCARD',
  'ELO',
  'AURA',
  'DISCOVER',
  'VR_BENEFICIOS',
  'SODEXO',
  'TICKET',
  'GOOD_CARD',
  'BANESCARD',
  'SOROCARD',
  'POLICARD',
  'VALECARD',
  'AGICARD',
  'JCB',
  'CREDSYSTEM',
  'CABAL',
  'GREEN_CARD',
  'VEROCHEQUE',
  'AVISTA',
  'OTHER',
] as const

export const PaymentMethod = looseObject(() => ({
  type: z.enum(['PREPAID', 'PENDING']),
  method: z.enum(paymentMethods),
  brand: z.enum(paymentBrands).optional(),
  methodInfo: z.string().optional(),
  value: z.number(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** The cash amount that the customer hands over, when the method is CASH. */
  changeFor: z.number().optional(),
  transaction: z
    .looseObject({
      authorizationCode: z.string().optional(),
      acquirerDocument: z.string().optional(),
    })
    .optional(),
}))

export const OrderPayments = looseObject(() => ({
  prepaid: z.number(),
  pending: z.number(),
  methods: z.array(PaymentMethod),
}))

export const OrderTotal = looseObject(() => ({
  itemsPrice: Price,
  otherFees: Price,
  discount: Price,
  orderAmount: Price,
}))
export type OrderTotal = z.infer<typeof OrderTotal>
