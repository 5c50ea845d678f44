/**
 * What the CRM's facts about orders mean to its Loyalty module: this file alone knows how the customer side of the CRM
 * tells of orders. Whatever is told twice is told on twice: an order counts once all the same, and one whose customer was
 * not known at first is told when it is.
 */
import { isOrder, type OrderFate, type RelatedOrder } from '../protocol/customer/related-order.ts'
import type { OrderNews } from '../protocol/loyalty/order-standing.ts'
import type { Context } from '../engine/decision.ts'
import type { Fact } from '../engine/fact.ts'
import type { Planned } from '../engine/agenda/item.ts'
import type { LoyaltyCommand } from '../engine/loyalty/command.ts'
import { plan } from './habit.ts'

type OrderNewsCommand = Extract<LoyaltyCommand, { kind: 'loyalty.order-news' }>

const newsOf: Readonly<Record<OrderFate, OrderNews>> = {
  created: 'open',
  completed: 'completed',
  canceled: 'canceled',
}

const newsOfEvent: ReadonlyMap<string, OrderNews> = new Map([
  ['order.created', 'open'],
  ['order.completed', 'completed'],
  ['order.canceled', 'canceled'],
])

/** The coupons that an order names: the codes of its discounts. */
const codesOf = (order: RelatedOrder | undefined): readonly string[] =>
  order && isOrder(order)
    ? (order.discounts ?? []).flatMap(({ sponsorshipValues }) =>
        sponsorshipValues.flatMap(({ discountCode }) => discountCode ?? []),
      )
    : []

function told(fact: Fact): OrderNewsCommand | undefined {
  if (fact.kind === 'customer.heard') {
    const { eventType, orderId, customerId } = fact
    const news = newsOfEvent.get(eventType)
    if (news === undefined || orderId === undefined) return undefined
    const whose = customerId === undefined ? {} : { customerId }
    return { kind: 'loyalty.order-news', orderId, news, ...whose }
  }
  if (fact.kind !== 'customer.saved' || fact.saved.entity !== 'order') return undefined
  const { id: orderId, fate, document, merchantId, amount, customerId } = fact.saved.order
  // By the id that the Ordering Application gave, by which it will ask.
  const given = document && isOrder(document) ? document.customer?.id : undefined
  const whose = given ?? customerId
  const couponCodes = codesOf(document)
  return {
    kind: 'loyalty.order-news',
    orderId,
    news: newsOf[fate],
    ...(whose === undefined ? {} : { customerId: whose }),
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(amount === undefined ? {} : { amount }),
    ...(couponCodes.length === 0 ? {} : { couponCodes }),
  }
}

/** Orders are told on as soon as it is known whose they are. */
export function orderNews(fact: Fact, { world }: Context): readonly Planned[] {
  const command = told(fact)
  if (!command) return []
  // An event about an order that is kept here tells less than the order, which is saved because of it.
  if (fact.kind === 'customer.heard' && world.customer.crm.orders.has(command.orderId)) return []
  const known = world.loyalty.host.orders.has(command.orderId)
  return known || command.customerId !== undefined ? [plan(command, 0)] : []
}
