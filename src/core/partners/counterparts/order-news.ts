/**
 * Forwards the CRM's facts about orders to its Loyalty module; only this file knows how its customer side reports
 * orders. Duplicates are forwarded too, as Loyalty counts an order once; an order whose customer was unknown at first
 * is forwarded when the customer is known.
 */
import { compact } from '../../base/compact.ts'
import {
  isFullOrder,
  type RelatedOrderOutcome,
  type RelatedOrder,
} from '../../protocol/customer/related-order.ts'
import type { OrderNews } from '../../protocol/loyalty/order-standing.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { LoyaltyCommand } from '../../engine/loyalty/commands.ts'
import { plan } from './planning.ts'

type OrderNewsCommand = Extract<LoyaltyCommand, { kind: 'loyalty.order-news' }>

const newsOf: Readonly<Record<RelatedOrderOutcome, OrderNews>> = {
  created: 'open',
  completed: 'completed',
  canceled: 'canceled',
}

const newsOfEvent: ReadonlyMap<string, OrderNews> = new Map([
  ['order.created', 'open'],
  ['order.completed', 'completed'],
  ['order.canceled', 'canceled'],
])

/** The coupon codes of an order's discounts. */
const codesOf = (order: RelatedOrder | undefined): readonly string[] =>
  order && isFullOrder(order)
    ? (order.discounts ?? []).flatMap(({ sponsorshipValues }) =>
        sponsorshipValues.flatMap(({ discountCode }) => discountCode ?? []),
      )
    : []

function newsCommand(fact: Fact): OrderNewsCommand | undefined {
  if (fact.kind === 'customer.heard') {
    const { eventType, orderId, customerId } = fact
    const news = newsOfEvent.get(eventType)
    if (news === undefined || orderId === undefined) return undefined
    const owner = customerId === undefined ? {} : { customerId }
    return { kind: 'loyalty.order-news', orderId, news, ...owner }
  }
  if (fact.kind !== 'customer.saved' || fact.saved.entity !== 'order') return undefined
  const { id: orderId, fate, document, merchantId, amount, customerId } = fact.saved.order
  // The customer id of the Ordering Application, which its Loyalty calls will use.
  const applicationId = document && isFullOrder(document) ? document.customer?.id : undefined
  const owner = applicationId ?? customerId
  const couponCodes = codesOf(document)
  return {
    kind: 'loyalty.order-news',
    orderId,
    news: newsOf[fate],
    ...compact({ customerId: owner, merchantId, amount }),
    ...(couponCodes.length === 0 ? {} : { couponCodes }),
  }
}

/** Forwards an order as soon as its customer is known. */
export function forwardOrderNews(
  fact: Fact,
  { world }: DecisionContext,
): readonly PlannedCommand[] {
  const command = newsCommand(fact)
  if (!command) return []
  // A stored order carries more data than the event, and is forwarded when it is saved.
  if (fact.kind === 'customer.heard' && world.customer.crm.orders.has(command.orderId)) return []
  const known = world.loyalty.host.orders.has(command.orderId)
  return known || command.customerId !== undefined ? [plan(command, 0)] : []
}
