/**
 * Generates realistic order documents, deterministically: the same population, chance and instant give the same order,
 * byte for byte. An order is new (status CREATED, no last event), its sums are right, and optional parts are present only
 * sometimes, so that a subject sees both cases.
 */
import type { Chance } from '../../engine/chance.ts'
import { type Instant, isoOf } from '../../engine/instant.ts'
import { applicationIds } from '../../protocol/discovery/application-id.ts'
import type { ItemOption, OrderItem } from '../../protocol/orders/items.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import { type Price, priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { drawOptional, drawSubset, drawWeighted, type WeightedValue, weightedBy } from './draw.ts'
import { deliveryDistance, drawFulfillment, type OrderContext } from './order-fulfillment.ts'
import { drawPayments, type PaymentSituation } from './order-payments.ts'
import { orderRemarks, storeRemarks } from './remarks.ts'
import type {
  ItemOffer,
  MenuOption,
  OptionGroup,
  Population,
  SeedCustomer,
  SeedMerchant,
} from './types.ts'
import { percentOfUnits, unitsPerCent } from './money.ts'
import { compact } from '../../base/compact.ts'

/**
 * Random items of an order: offers of the merchant's menu with chosen options. An option's total is quantity × unit
 * price without nested options; an item's optionsPrice is the sum over the whole tree (fields.md, O3).
 */
const itemCounts = [
  { weight: 5, value: 1 },
  { weight: 5, value: 2 },
  { weight: 3, value: 3 },
  { weight: 1, value: 4 },
]

const quantities = [
  { weight: 14, value: 1 },
  { weight: 4, value: 2 },
  { weight: 1, value: 3 },
]

/** The items of an order: the first is a main course, the others are any offers of the menu. */
function drawItems(merchant: SeedMerchant, chance: Chance, lines?: number): OrderItem[] {
  const count = Math.max(1, lines ?? drawWeighted(chance, itemCounts))
  const taken = new Set<ItemOffer>()
  return Array.from({ length: count }, (_, index) => {
    const offer = newOffer(index === 0 ? merchant.mains : merchant.offers, taken, chance)
    taken.add(offer)
    return drawItem(offer, merchant, chance)
  })
}

/** An offer that the order does not have yet; after five draws a duplicate is accepted. */
function newOffer(
  offers: readonly ItemOffer[],
  taken: ReadonlySet<ItemOffer>,
  chance: Chance,
): ItemOffer {
  let offer = chance.pick(offers)
  for (let tries = 0; taken.has(offer) && tries < 4; tries++) offer = chance.pick(offers)
  return offer
}

function drawItem(
  offer: ItemOffer,
  { remarks, currency }: SeedMerchant,
  chance: Chance,
): OrderItem {
  const byWeight = offer.unit === 'KG'
  const options = drawOptions(offer.groups, currency, chance)
  const unitUnits = offer.cents * unitsPerCent
  const optionsUnits = optionTreeUnits(options)
  // Weights are whole tenths of a kilogram, so that an item costs whole cents.
  const tenths = byWeight ? chance.between(2, 9) : drawWeighted(chance, quantities) * 10
  return {
    id: chance.uuid(),
    name: offer.name,
    ...(offer.isAlwaysCoded !== true && chance.oneIn(15)
      ? {}
      : { externalCode: offer.externalCode }),
    ...(chance.oneIn(5) ? {} : { itemOfferId: offer.id }),
    quantity: tenths / 10,
    ...(byWeight || !chance.oneIn(3) ? { unit: offer.unit } : {}),
    pricing: {
      unitPrice: priceFromUnits(unitUnits, currency),
      ...(offer.formerCents === undefined
        ? {}
        : { originalPrice: priceFromUnits(offer.formerCents * unitsPerCent, currency) }),
      ...(options.length === 0 ? {} : { optionsPrice: priceFromUnits(optionsUnits, currency) }),
      totalPrice: priceFromUnits(((unitUnits + optionsUnits) * tenths) / 10, currency),
    },
    ...(options.length === 0 ? {} : { options }),
    ...drawOptional(chance, 5, () => ({ observations: chance.pick(remarks) })),
  }
}

function optionTreeUnits(options: readonly ItemOption[]): number {
  let units = 0
  for (const { pricing, options: inner } of options)
    units += toUnits(pricing.totalPrice.value) + (inner ? optionTreeUnits(inner) : 0)
  return units
}

function drawOptions(
  groups: readonly OptionGroup[],
  currency: string,
  chance: Chance,
): ItemOption[] {
  const options: ItemOption[] = []
  for (const group of groups) {
    const { min, max, included, offered } = group
    for (const option of included)
      if (!chance.oneIn(6)) options.push(drawOption(option, group, currency, chance))
    // Optional groups are skipped in two of three cases.
    const wanted = min === 0 && !chance.oneIn(3) ? 0 : chance.between(Math.max(1, min), max)
    for (const option of drawSubset(chance, offered, wanted))
      options.push(drawOption(option, group, currency, chance))
  }
  return options
}

function drawOption(
  option: MenuOption,
  group: OptionGroup,
  currency: string,
  chance: Chance,
): ItemOption {
  const defaultQuantity = Math.max(1, option.defaultQuantity ?? 0)
  const quantity = option.max > defaultQuantity && chance.oneIn(4) ? option.max : defaultQuantity
  const unitUnits = option.cents * unitsPerCent
  const inner = drawOptions(option.groups, currency, chance)
  return {
    id: option.id,
    name: option.name,
    optionGroupId: group.id,
    optionGroupName: group.name,
    quantity,
    ...compact({ defaultQuantity: option.defaultQuantity }),
    pricing: {
      unitPrice: priceFromUnits(unitUnits, currency),
      totalPrice: priceFromUnits(unitUnits * quantity, currency),
    },
    ...(inner.length === 0 ? {} : { options: inner }),
  }
}

/**
 * Random fees (by profile and distance) and discounts (with their sponsors) of an order. Integer units throughout; the
 * sponsors' parts of a discount add up to it by construction.
 */
type OtherFee = NonNullable<Order['otherFees']>[number]
type Discount = NonNullable<Order['discounts']>[number]

/** Deliveries of orders below this amount have a minimum-order fee. */
const smallOrderUnits = 2500 * unitsPerCent

const feeReceivers = weightedBy<NonNullable<OtherFee['receivedBy']>>({
  MERCHANT: 3,
  LOGISTIC_SERVICES: 2,
  MARKETPLACE: 1,
})

function drawFees(context: OrderContext, itemsUnits: number): OtherFee[] {
  const { chance, type, merchant } = context
  const fees: OtherFee[] = []
  const addFee = (
    name: string,
    kind: OtherFee['type'],
    units: number,
    receivedBy: NonNullable<OtherFee['receivedBy']>,
  ): void => {
    fees.push({ name, type: kind, receivedBy, price: priceFromUnits(units, merchant.currency) })
  }
  if (type === 'INDOOR') {
    if (chance.oneIn(2))
      addFee('Taxa de serviço (10%)', 'SERVICE_FEE', percentOfUnits(itemsUnits, 10), 'MERCHANT')
    return fees
  }
  if (type === 'DELIVERY') {
    // R$ 3.99 plus ten cents per hectometre, R$ 19.99 at most; free in one order of six.
    const deliveryCents = Math.min(1999, 399 + 10 * deliveryDistance(context))
    if (!chance.oneIn(6))
      addFee(
        'Taxa de entrega',
        'DELIVERY_FEE',
        deliveryCents * unitsPerCent,
        drawWeighted(chance, feeReceivers),
      )
    if (itemsUnits < smallOrderUnits)
      addFee('Taxa de pedido mínimo', 'MIN_ORDER_FEE', 300 * unitsPerCent, 'MARKETPLACE')
    if (chance.oneIn(8)) {
      const tip = chance.pick([200, 300, 500]) * unitsPerCent
      addFee('Gorjeta do entregador', 'TIP', tip, 'LOGISTIC_SERVICES')
    }
  }
  if (chance.oneIn(3)) addFee('Taxa de serviço', 'SERVICE_FEE', 99 * unitsPerCent, 'MARKETPLACE')
  return fees
}

type Target = Discount['target']

const targets: readonly WeightedValue<readonly Target[]>[] = [
  { weight: 4, value: ['CART'] },
  { weight: 2, value: ['ITEM'] },
  { weight: 2, value: ['DELIVERY_FEE'] },
  { weight: 1, value: ['CART', 'DELIVERY_FEE'] },
]

/** None for most orders. At most half of the items plus the delivery fee, so that the amount stays above zero. */
function drawDiscounts(
  { chance, merchant: { currency } }: OrderContext,
  items: readonly OrderItem[],
  fees: readonly OtherFee[],
): Discount[] {
  if (!chance.oneIn(4)) return []
  const delivery = fees.find(({ type }) => type === 'DELIVERY_FEE')
  const discounts: Discount[] = []
  for (const target of drawWeighted(chance, targets)) {
    if (target === 'DELIVERY_FEE') {
      if (delivery) discounts.push(makeDiscount(chance, target, delivery.price))
      continue
    }
    const item = target === 'ITEM' ? chance.pick(items) : undefined
    const base = (item ? [item] : items).map(({ pricing }) => toUnits(pricing.totalPrice.value))
    const whole = base.reduce((total, units) => total + units, 0)
    const share = percentOfUnits(whole, chance.pick([10, 15, 20, 30, 50]))
    discounts.push({
      ...makeDiscount(chance, target, priceFromUnits(share, currency)),
      ...(item ? { targetId: item.id } : {}),
    })
  }
  return discounts
}

const coupons: Readonly<Record<Target, readonly string[]>> = {
  CART: ['BEMVINDO', 'SEXTOU', 'VOLTEI15'],
  ITEM: ['PRATODODIA', 'LEVEMAIS'],
  DELIVERY_FEE: ['FRETEGRATIS', 'ENTREGAZERO'],
}

function makeDiscount(chance: Chance, target: Target, { value, currency }: Price): Discount {
  const units = toUnits(value)
  const amountOf = (part: number): Price => priceFromUnits(part, currency)
  const code = chance.oneIn(3) ? {} : { discountCode: chance.pick(coupons[target]) }
  const merchantUnits = chance.oneIn(3) ? percentOfUnits(units, chance.pick([20, 40, 50])) : 0
  const sponsor = chance.oneIn(8) ? 'CHAIN' : chance.pick(['MARKETPLACE', 'MERCHANT'] as const)
  const shared: Discount['sponsorshipValues'] =
    merchantUnits === 0
      ? [{ name: sponsor, amount: amountOf(units), ...code }]
      : [
          { name: 'MARKETPLACE', amount: amountOf(units - merchantUnits), ...code },
          { name: 'MERCHANT', amount: amountOf(merchantUnits) },
        ]
  return { amount: amountOf(units), target, sponsorshipValues: shared }
}

/** Random timing of an order: instant, on demand (INDOOR), or scheduled for a window later in the day. */
const minuteMs = 60_000
const quarterHour = 15 * minuteMs

const priorities = ['PRIORITY1', 'PRIORITY2', 'PRIORITY3', 'PRIORITY4', 'PRIORITY5'] as const

interface DrawnTiming {
  readonly timing: Order['timing']
  /** Estimated time of delivery. */
  readonly arrival: Instant
}

function drawTiming(context: OrderContext): DrawnTiming {
  const { chance, now, type, merchant } = context
  const [min, max] = merchant.preparation
  const preparationMs = chance.between(min, max) * minuteMs
  // Ten minutes plus three per kilometre.
  const deliveryMs =
    type === 'DELIVERY' ? Math.round((10 + 0.3 * deliveryDistance(context)) * minuteMs) : 0
  const priority = drawOptional(chance, 4, () => ({ orderPriority: chance.pick(priorities) }))
  if (type !== 'INDOOR' && chance.oneIn(8)) {
    const start = Math.ceil((now + chance.between(90, 360) * minuteMs) / quarterHour) * quarterHour
    const end = start + chance.between(1, 2) * quarterHour
    return {
      timing: {
        orderTiming: 'SCHEDULED',
        schedule: { scheduledDateTimeStart: isoOf(start), scheduledDateTimeEnd: isoOf(end) },
        preparationStartDateTime: isoOf(start - preparationMs - deliveryMs),
        ...priority,
      },
      arrival: end,
    }
  }
  return {
    timing: {
      orderTiming: type === 'INDOOR' && chance.oneIn(3) ? 'ONDEMAND' : 'INSTANT',
      ...drawOptional(chance, 4, () => ({ preparationStartDateTime: isoOf(now + 2 * minuteMs) })),
      ...priority,
    },
    arrival: now + preparationMs + deliveryMs,
  }
}

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

const types = weightedBy<OrderType>({ DELIVERY: 6, TAKEOUT: 3, INDOOR: 1 })

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
    sourceAppId: applicationIds['ordering-application'],
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
