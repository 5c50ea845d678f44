/**
 * Random fees (by profile and distance) and discounts (with their sponsors) of an order. Integer units throughout; the
 * sponsors' parts of a discount add up to it by construction.
 */
import type { Chance } from '../../engine/chance.ts'
import type { OrderItem } from '../../protocol/orders/items.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { type Price, priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { type WeightedValue, drawWeighted } from './draw.ts'
import { percentOfUnits, unitsPerCent } from './money.ts'
import { deliveryDistance, type OrderContext } from './order-context.ts'

type OtherFee = NonNullable<Order['otherFees']>[number]
type Discount = NonNullable<Order['discounts']>[number]

/** Deliveries of orders below this amount have a minimum-order fee. */
const smallOrderUnits = 2500 * unitsPerCent

const feeReceivers: readonly WeightedValue<'MERCHANT' | 'MARKETPLACE' | 'LOGISTIC_SERVICES'>[] = [
  { weight: 3, value: 'MERCHANT' },
  { weight: 2, value: 'LOGISTIC_SERVICES' },
  { weight: 1, value: 'MARKETPLACE' },
]

export function drawFees(context: OrderContext, itemsUnits: number): OtherFee[] {
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
export function drawDiscounts(
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
