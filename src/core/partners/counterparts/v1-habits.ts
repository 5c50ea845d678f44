/**
 * Autonomous behaviour of V1 partners beside that of V2: the originator finishes the orders that no merchant call
 * finishes, and the merchant answers cancellation requests (fields.md, 4.3, 4.4).
 */
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { parseV1EventType, v1StatusOfEvent } from '../../protocol/v1/events.ts'
import { v1FlagsOf } from '../../protocol/v1/flags.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { OrderTicket } from '../../engine/world.ts'
import { drawDuration, plan } from './planning.ts'
import type { DurationRange } from './behaviour.ts'

const stream = 'v1'

/** From ready or dispatched food to its delivery, in ms. */
const untilServed: DurationRange = [15_000, 45_000]
/** Until the marketplace's courier collects the order, in ms. */
const untilFetched: DurationRange = [10_000, 30_000]
/** The merchant's time to answer a request, in ms. */
const answerTime: DurationRange = [500, 3000]

/** The originator's next step for an order without a further merchant call. */
function originatorStep(
  orderId: string,
  status: OrderStatus,
  { world, settings, chance }: DecisionContext,
): readonly PlannedCommand[] {
  const profile = world.ordering.orders.get(orderId)?.order.fulfillment.orderType
  if (!profile) return []
  const flags = v1FlagsOf(profile, settings.conduct.v1)
  const apply = (
    trigger: 'dispatch' | 'delivered',
    range: DurationRange,
  ): readonly PlannedCommand[] => [
    plan({ kind: 'order.apply', orderId, trigger }, drawDuration(range, chance(stream))),
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
  if (fact.kind === 'order.moved') return originatorStep(fact.orderId, fact.to, context)
  return fact.kind === 'handshake.answered' && fact.answer === 'accept'
    ? [
        plan(
          { kind: 'order.apply', orderId: fact.orderId, trigger: 'cancel' },
          drawDuration(answerTime, context.chance(stream)),
        ),
      ]
    : []
}

/** Accepts the cancellation of an order whose preparation has not begun; denies it afterwards. */
function answerTo({ orderId, status }: OrderTicket, { chance }: DecisionContext): PlannedCommand {
  const after = drawDuration(answerTime, chance(stream))
  if (status === undefined || status === 'CREATED' || status === 'CONFIRMED')
    return plan({ kind: 'legacy.answer', orderId, answer: 'accept' }, after)
  const isDispatched = status === 'IN_DELIVERY'
  return plan(
    {
      kind: 'legacy.answer',
      orderId,
      answer: 'deny',
      ...(isDispatched ? { code: 'OUT_FOR_DELIVERY', reason: 'já saiu para entrega' } : {}),
    },
    after,
  )
}

export const v1Merchant: Reactor = (fact: Fact, context) => {
  if (fact.kind !== 'legacy.heard') return []
  const ticket = context.world.store.tickets.get(fact.orderId)
  const type = parseV1EventType(fact.eventType)
  if (!ticket || type === undefined) return []
  if (type === 'ORDER_CANCELLATION_REQUEST') return [answerTo(ticket, context)]
  // Events unknown to V2 trigger a read only here.
  return type === 'CANCELLED_DENIED' || (type === 'PICKED_UP' && v1StatusOfEvent(type))
    ? [plan({ kind: 'ticket.reconcile', orderId: ticket.orderId, round: ticket.round }, 0)]
    : []
}

/** The merchant's next step for a V1 order; undefined where the originator takes it. */
export function v1Step({ status, profile, order }: OrderTicket): ProgressionTrigger | undefined {
  const isFlagged = (flag: string): boolean => order?.[flag] === true
  const isOwnDelivery = order?.['deliveredBy'] !== 'MARKETPLACE'
  switch (status) {
    case 'CREATED':
      return 'confirm'
    case 'CONFIRMED':
      return isFlagged('sendPreparing') ? 'preparing' : 'ready-for-pickup'
    case 'PREPARING':
      return 'ready-for-pickup'
    case 'READY':
      if (profile === 'DELIVERY') return isOwnDelivery ? 'dispatch' : undefined
      return isFlagged('sendPickedUp') ? 'delivered' : undefined
    case 'IN_DELIVERY':
      return isFlagged('sendDelivered') ? 'delivered' : undefined
    default:
      return undefined
  }
}
