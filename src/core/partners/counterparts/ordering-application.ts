/**
 * Autonomous behaviour of the Ordering Application: generates orders, applies accepted calls, answers cancellation
 * requests and concludes finished orders. It reacts to facts of its own slice only.
 */
import { originatorCancellationCodes } from '../../protocol/orders/cancellation.ts'
import { orderEvents } from '../../protocol/orders/events.ts'
import { orderLifecycle, type OrderTrigger } from '../../protocol/orders/lifecycle.ts'
import type { Order } from '../../protocol/orders/order.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import { changesBelow } from '../../engine/session/setting-change.ts'
import type { Fact } from '../../engine/fact.ts'
import { withAccountId } from '../../engine/indoor/account-find.ts'
import type { Instant } from '../../engine/instant.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { drawDuration, loop, plan } from './planning.ts'
import type { OrderingBehaviour } from './behaviour.ts'

export interface OrderingHabits {
  readonly behaviour: OrderingBehaviour
  /** Generated orders: interval in ms, and maximum number. */
  readonly arrivals?: { readonly everyMs: number; readonly limit?: number }
  /** Generates an order for this instant. */
  readonly makeOrder: (now: Instant, context: DecisionContext) => Order
}

const stream = 'ordering-application'
const arrivalSettings = ['counterparts', 'ordering-application', 'orders']

/** Whether to omit an event that is optional in the order's profile. */
function omitsEvent(
  orderId: string,
  trigger: OrderTrigger,
  habits: OrderingHabits,
  context: DecisionContext,
): boolean {
  const { omitsOptionalOneIn } = habits.behaviour
  if (omitsOptionalOneIn === 0) return false
  const order = context.world.ordering.orders.get(orderId)?.order
  const emits = orderLifecycle.find((row) => row.trigger === trigger)?.emits
  if (!order || !emits) return false
  const optional = orderEvents[emits].obligation[order.fulfillment.orderType] === 'MAY'
  return optional && context.chance(stream).oneIn(omitsOptionalOneIn)
}

/** The next generated order, built now and due later, so that the agenda shows its content. */
function nextArrival(
  number: number,
  habits: OrderingHabits,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const { arrivals, makeOrder } = habits
  if (!arrivals || number > (arrivals.limit ?? Number.POSITIVE_INFINITY)) return []
  const due = context.now + arrivals.everyMs
  const order = withAccountId(makeOrder(due, context), context.world)
  const next = { kind: 'order.create', order, arrival: number } as const
  // Only unlimited arrivals are a loop: a session that settles waits for limited ones.
  return [(arrivals.limit === undefined ? loop : plan)(next, arrivals.everyMs)]
}

/** The pending order is replaced: it was made, and is due, by the settings before. */
function rearrangeArrivals(
  habits: OrderingHabits,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const { agenda, ordering } = context.world
  const pending = Array.from(agenda.byId.values()).filter(
    ({ command }) => command.kind === 'order.create' && command.arrival !== undefined,
  )
  return [
    ...pending.map(({ id }) => plan({ kind: 'agenda.drop', id }, 0)),
    ...nextArrival(ordering.arrivals + 1, habits, context),
  ]
}

/** Cancels an order at a random time, with the profile's probability. */
function randomCancel(
  orderId: string,
  { behaviour }: OrderingHabits,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const chance = context.chance(stream)
  if (!chance.oneIn(behaviour.cancelsOneIn)) return []
  return [cancelByCustomer(orderId, chance.between(500, 20_000), context)]
}

/** The customer of an order changes their mind. */
export function cancelByCustomer(
  orderId: string,
  afterMs: number,
  { settings }: DecisionContext,
): PlannedCommand {
  const [code] = originatorCancellationCodes
  const metadata = { code, reason: 'o cliente desistiu' }
  const { speaks, v1 } = settings.conduct
  const usesHandshake = speaks === 'v1' && v1.originatorCancel === 'handshake'
  return plan(
    usesHandshake
      ? { kind: 'handshake.offer', orderId, ...metadata }
      : { kind: 'order.apply', orderId, trigger: 'cancel', metadata },
    afterMs,
  )
}

/** Cancels an order that is not confirmed within conduct.confirmWithin. */
function confirmationDeadline(
  orderId: string,
  { settings }: DecisionContext,
): readonly PlannedCommand[] {
  const { confirmWithin: unconfirmedMs } = settings.conduct
  if (unconfirmedMs === undefined) return []
  const metadata = { code: originatorCancellationCodes[1], reason: 'não foi confirmado a tempo' }
  const cancel = {
    kind: 'order.apply',
    orderId,
    trigger: 'cancel',
    metadata,
    unconfirmedMs,
  } as const
  return [plan(cancel, unconfirmedMs)]
}

/** The order is confirmed, or over. */
function withoutDeadline(
  orderId: string,
  { world: { agenda }, settings }: DecisionContext,
): readonly PlannedCommand[] {
  if (settings.conduct.confirmWithin === undefined) return []
  return Array.from(agenda.byId.values()).flatMap(({ id, command }) =>
    command.kind === 'order.apply' &&
    command.orderId === orderId &&
    command.unconfirmedMs !== undefined
      ? [plan({ kind: 'agenda.drop', id }, 0)]
      : [],
  )
}

/** In V1 an ONDEMAND order waits for this event once it is confirmed (fields.md, 4.3), whatever its profile. */
function requestPreparation(
  orderId: string,
  { settings, world }: DecisionContext,
): readonly PlannedCommand[] {
  const isOnDemand =
    world.ordering.orders.get(orderId)?.order.timing.orderTiming === 'ONDEMAND' &&
    settings.conduct.speaks === 'v1'
  const emit = { kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' } as const
  return isOnDemand ? [plan({ ...emit, force: true }, 1000)] : []
}

export const orderingApplication =
  (habits: OrderingHabits): Reactor =>
  (fact: Fact, context) => {
    const { behaviour } = habits
    const chance = context.chance(stream)
    switch (fact.kind) {
      case 'session.opened':
        return nextArrival(1, habits, context)
      case 'session.configured':
        return changesBelow(fact.changes, arrivalSettings) ? rearrangeArrivals(habits, context) : []
      case 'order.created': {
        const next = fact.arrival ? nextArrival(fact.arrival + 1, habits, context) : []
        const { id } = fact.order
        return [...next, ...randomCancel(id, habits, context), ...confirmationDeadline(id, context)]
      }
      case 'order.requested': {
        const { orderId, trigger } = fact
        const quiet = omitsEvent(orderId, trigger, habits, context) ? { quiet: true as const } : {}
        return [
          ...(trigger === 'confirm' ? withoutDeadline(orderId, context) : []),
          plan(
            { kind: 'order.apply', orderId, trigger, ...quiet },
            drawDuration(behaviour.processing, chance),
          ),
        ]
      }
      case 'item.cancel-requested': {
        const { orderId, itemId, cancellation } = fact
        return [
          plan(
            { kind: 'item.cancel', orderId, itemId, cancellation },
            drawDuration(behaviour.processing, chance),
          ),
        ]
      }
      case 'cancellation.requested': {
        const { answer, after } = behaviour.cancellation
        return [
          plan(
            { kind: 'cancellation.answer', orderId: fact.orderId, answer },
            drawDuration(after, chance),
          ),
        ]
      }
      case 'cancellation.answered':
        return fact.answer === 'accept'
          ? [
              plan(
                { kind: 'order.apply', orderId: fact.orderId, trigger: 'cancel' },
                drawDuration(behaviour.processing, chance),
              ),
            ]
          : []
      case 'order.moved': {
        const { orderId, from, to } = fact
        const isOver = to === 'DELIVERED' || to === 'CANCELLED'
        return [
          ...(from === 'CREATED' ? withoutDeadline(orderId, context) : []),
          ...(to === 'CONFIRMED' ? requestPreparation(orderId, context) : []),
          ...(isOver
            ? [
                plan(
                  { kind: 'order.apply', orderId, trigger: 'conclude' },
                  drawDuration(behaviour.conclude, chance),
                ),
              ]
            : []),
        ]
      }
      default:
        return []
    }
  }
