/**
 * Generates realistic order documents, deterministically: the same population, chance and instant give the same order,
 * byte for byte. An order is new (status CREATED, no last event), its sums are right, and optional parts are present only
 * sometimes, so that a subject sees both cases.
 */
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { OrderItem } from '../../protocol/orders/items.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import { priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { type WeightedValue, drawOptional, drawWeighted } from './draw.ts'
import { drawDiscounts, drawFees } from './order-charges.ts'
import { drawFulfillment } from './order-fulfillment.ts'
import { drawItems } from './order-lines.ts'
import { drawPayments, type PaymentSituation } from './order-payments.ts'
import type { OrderContext } from './order-context.ts'
import { drawTiming } from './order-timing.ts'
import { storeRemarks, orderRemarks } from './remarks.ts'
import type { SeedCustomer, SeedMerchant, Population } from './types.ts'

export interface OrderOptions {
  readonly population: Population
  readonly chance: Chance
  readonly now: Instant
  readonly type?: OrderType | undefined
  /** Number of items; one at least. */
  readonly lines?: number | undefined
  /** Id of one of the population's merchants; drawn when absent. */
  readonly merchantId?: string | undefined
  /** Drawn when absent. */
  readonly customer?: SeedCustomer | undefined
  /** What is known of the place of an INDOOR order. */
  readonly place?: OrderContext['place']
}

const types: readonly WeightedValue<OrderType>[] = [
  { weight: 6, value: 'DELIVERY' },
  { weight: 3, value: 'TAKEOUT' },
  { weight: 1, value: 'INDOOR' },
]

export function generateOrder({ population, chance, now, ...options }: OrderOptions): Order {
  const context = { ...drawContext(population, { chance, now }, options), place: options.place }
  const { type, merchant, customer } = context
  const id = chance.uuid()
  const { timing, arrival } = drawTiming(context)
  const fulfillment = drawFulfillment(context, arrival)
  const items = drawItems(merchant, chance, options.lines)
  return {
    id,
    displayId: String(chance.between(1000, 9999)),
    createdAt: isoOf(now),
    sourceAppId: population.sourceAppId,
    merchant: { id: merchant.id, externalCode: merchant.externalCode, name: merchant.name },
    fulfillment,
    status: 'CREATED',
    ...(customer ? { customer: orderCustomerOf(customer, merchant) } : {}),
    timing,
    items,
    ...drawBill(context, items, paymentSituationOf(type, fulfillment)),
    ...drawOptional(chance, 4, () => ({ taxInvoice: { issued: false } })),
    ...(chance.oneIn(6) ? {} : { context: { salesChannel: salesChannel(chance, fulfillment) } }),
    ...drawOptional(chance, 4, () => ({ observations: chance.pick(orderRemarks) })),
    ...drawOptional(chance, 8, () => ({ extraInfo: chance.pick(storeRemarks) })),
    ...drawPreference(chance),
  }
}

/** Draws profile, merchant and customer. A delivery always has a customer; other orders may be anonymous. */
function drawContext(
  population: Population,
  { chance, now }: Pick<OrderOptions, 'chance' | 'now'>,
  options: Pick<OrderOptions, 'type' | 'merchantId' | 'customer'>,
): OrderContext {
  const type = options.type ?? drawWeighted(chance, types)
  const merchant =
    options.merchantId === undefined
      ? chance.pick(population.openMerchants)
      : population.merchantById.get(options.merchantId)
  if (!merchant)
    throw new Error(
      `cannot make an order for merchant ${options.merchantId}: no merchant has that id`,
    )
  const drawn = chance.pick(chance.oneIn(3) ? population.customers : population.regulars)
  const isIdentified = { DELIVERY: true, TAKEOUT: !chance.oneIn(6), INDOOR: chance.oneIn(3) }[type]
  const customer = options.customer ?? (isIdentified ? drawn : undefined)
  if (!customer) return { chance, now, type, merchant }
  return { chance, now, type, merchant, customer, address: chance.pick(customer.addresses) }
}

function orderCustomerOf(
  customer: SeedCustomer,
  merchant: SeedMerchant,
): NonNullable<Order['customer']> {
  const { addresses: _, orders, phone, ...person } = customer
  return { ...person, phone: { ...phone }, ordersCountOnMerchant: orders.get(merchant.id) ?? 0 }
}

type Bill = Pick<Order, 'otherFees' | 'discounts' | 'total' | 'payments'>

function drawBill(
  context: OrderContext,
  items: readonly OrderItem[],
  situation: PaymentSituation,
): Bill {
  const { chance, merchant } = context
  const price = (units: number) => priceFromUnits(units, merchant.currency)
  const itemsUnits = sum(items.map(({ pricing }) => pricing.totalPrice))
  const otherFees = drawFees(context, itemsUnits)
  const discounts = drawDiscounts(context, items, otherFees)
  const feesUnits = sum(otherFees.map((fee) => fee.price))
  const discountUnits = sum(discounts.map(({ amount }) => amount))
  const amountUnits = itemsUnits + feesUnits - discountUnits
  return {
    ...(otherFees.length === 0 ? {} : { otherFees }),
    ...(discounts.length === 0 ? {} : { discounts }),
    total: {
      itemsPrice: price(itemsUnits),
      otherFees: price(feesUnits),
      discount: price(discountUnits),
      orderAmount: price(amountUnits),
    },
    payments: drawPayments(chance, situation, amountUnits, merchant.currency),
  }
}

const sum = (prices: readonly { readonly value: number }[]): number =>
  prices.reduce((total, { value }) => total + toUnits(value), 0)

export function paymentSituationOf(
  type: OrderType,
  { indoor }: Pick<Order['fulfillment'], 'indoor'>,
): PaymentSituation {
  if (type !== 'INDOOR') return type
  return indoor?.operationMode === 'COUNTER' ? 'COUNTER' : 'SEATED'
}

/** INDOOR orders have their origin channel; others mostly APP. */
const salesChannel = (chance: Chance, { indoor }: Order['fulfillment']): string =>
  indoor?.originChannel.type ?? chance.pick(['APP', 'APP', 'APP', 'WEB', 'CHAT', 'PHONE'])

/** Absent in a third of the orders, which means CANCEL_ORDER (ORD-FLD-10). */
function drawPreference(chance: Chance): Pick<Order, 'unavailabilityPreference'> {
  const preference = chance.pick(['REMOVE_ITEM', 'CANCEL_ORDER', undefined] as const)
  return preference === undefined ? {} : { unavailabilityPreference: preference }
}
