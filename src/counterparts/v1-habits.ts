/**
 * What V1 partners do of their own accord, beside what partners of V2 do: the originator brings to their end the orders
 * that no call of the merchant ends, and the merchant answers whether an order may be cancelled (fields.md, 4.3, 4.4).
 */
import type { ProgressionTrigger } from '../protocol/orders/lifecycle.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import { speaksV1 } from '../protocol/dialects/settings.ts'
import { v1EventType, v1Projection } from '../protocol/v1/events.ts'
import { v1Flags } from '../protocol/v1/flags.ts'
import type { Context } from '../engine/decision.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import type { Planned } from '../engine/agenda/item.ts'
import type { Ticket } from '../engine/world.ts'
import { draw, plan } from './habit.ts'
import type { Range } from './temperament.ts'

const stream = 'v1'

/** From the moment when food is ready or on its way to the moment when the guest has it. */
const untilServed: Range = [15_000, 45_000]
/** How long a courier who is not the merchant's takes to come. */
const untilFetched: Range = [10_000, 30_000]
/** How long a merchant thinks about a question. */
const thinking: Range = [500, 3000]

/** What the originator does about an order that its merchant has nothing more to say about. */
function onward(
  orderId: string,
  status: OrderStatus,
  { world, settings, chance }: Context,
): readonly Planned[] {
  const profile = world.ordering.orders.get(orderId)?.order.fulfillment.orderType
  if (!profile) return []
  const flags = v1Flags(profile, settings.conduct.v1)
  const apply = (trigger: 'dispatch' | 'delivered', range: Range): readonly Planned[] => [
    plan({ kind: 'order.apply', orderId, trigger }, draw(range, chance(stream))),
  ]
  if (status === 'READY' && profile !== 'DELIVERY')
    return flags.sendPickedUp ? [] : apply('delivered', untilServed)
  if (status === 'READY')
    return flags.deliveredBy === 'MARKETPLACE' ? apply('dispatch', untilFetched) : []
  if (status === 'IN_DELIVERY') return flags.sendDelivered ? [] : apply('delivered', untilServed)
  return []
}

export const v1Originator: Reactor = (fact, context) => {
  if (!speaksV1(context.settings.conduct)) return []
  if (fact.kind === 'order.moved') return onward(fact.orderId, fact.to, context)
  return fact.kind === 'handshake.answered' && fact.answer === 'accept'
    ? [
        plan(
          { kind: 'order.apply', orderId: fact.orderId, trigger: 'cancel' },
          draw(thinking, context.chance(stream)),
        ),
      ]
    : []
}

/** A dish that is not begun can be spared; one that is done, or on its way, cannot. */
function answerTo({ orderId, status }: Ticket, { chance }: Context): Planned {
  const after = draw(thinking, chance(stream))
  if (status === undefined || status === 'CREATED' || status === 'CONFIRMED')
    return plan({ kind: 'legacy.answer', orderId, answer: 'accept' }, after)
  const away = status === 'IN_DELIVERY'
  return plan(
    {
      kind: 'legacy.answer',
      orderId,
      answer: 'deny',
      ...(away ? { code: 'OUT_FOR_DELIVERY', reason: 'já saiu para entrega' } : {}),
    },
    after,
  )
}

export const v1Merchant: Reactor = (fact: Fact, context) => {
  if (fact.kind !== 'legacy.heard') return []
  const ticket = context.world.store.tickets.get(fact.orderId)
  const type = v1EventType(fact.eventType)
  if (!ticket || type === undefined) return []
  if (type === 'ORDER_CANCELLATION_REQUEST') return [answerTo(ticket, context)]
  // What V2 does not know, nobody else reads the order for.
  return type === 'CANCELLED_DENIED' || (type === 'PICKED_UP' && v1Projection(type))
    ? [plan({ kind: 'ticket.reconcile', orderId: ticket.orderId, round: ticket.round }, 0)]
    : []
}

/** The step that a V1 order wants of its merchant next; none where the rest is the originator's. */
export function v1Step({ status, profile, order }: Ticket): ProgressionTrigger | undefined {
  const asks = (flag: string): boolean => order?.[flag] === true
  const own = order?.['deliveredBy'] !== 'MARKETPLACE'
  switch (status) {
    case 'CREATED':
      return 'confirm'
    case 'CONFIRMED':
      return asks('sendPreparing') ? 'preparing' : 'ready-for-pickup'
    case 'PREPARING':
      return 'ready-for-pickup'
    case 'READY':
      if (profile === 'DELIVERY') return own ? 'dispatch' : undefined
      return asks('sendPickedUp') ? 'delivered' : undefined
    case 'IN_DELIVERY':
      return asks('sendDelivered') ? 'delivered' : undefined
    default:
      return undefined
  }
}
