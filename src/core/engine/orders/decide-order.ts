/**
 * Decides order commands of the Ordering Application: orders follow the lifecycle table, and a call is accepted now and
 * applied later (ORD-RUL-02).
 */
import { compact } from '../../base/compact.ts'
import { formatDuration } from '../../protocol/duration.ts'
import { noTransitionText } from '../../protocol/lifecycle.ts'
import { orderEvents } from '../../protocol/orders/events.ts'
import {
  orderLifecycle,
  orderLifecycleIn,
  type OrderStep,
  type OrderTrigger,
  progressionTriggers,
} from '../../protocol/orders/lifecycle.ts'
import { assertNever, ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decisions } from '../decision.ts'
import {
  cancelDeliveryFirst,
  type DeliveryFirstOutcome,
} from '../logistics/cancel-delivery-first.ts'
import { refuse } from '../refusal.ts'
import { decideRepeatedCall } from '../v1/refusals.ts'
import type { OrderRecord } from '../world.ts'
import { orderEventFacts } from './emit.ts'
import { grantPendingCancellation } from './cancellation-outcome.ts'
import { findOrder } from './record.ts'
import { fullRoleName, type Role } from '../../protocol/role.ts'
import { type ProtocolGeneration, speaksV1 } from '../../protocol/dialects/settings.ts'
import type { OrderType } from '../../protocol/orders/order.ts'
import { v1FlagsOf } from '../../protocol/v1/flags.ts'

interface NamingConduct {
  readonly speaks: ProtocolGeneration
  readonly v1: Parameters<typeof v1FlagsOf>[1]
}

/**
 * What a Software Service calls for a trigger of an order, as the paths of the generation in use name it; undefined for
 * one that no call fires, or that an order of V1 does not ask for.
 */
function orderCallName(
  trigger: OrderTrigger,
  profile: OrderType,
  conduct: NamingConduct,
): string | undefined {
  if (trigger === 'cancel') return 'requestCancellation'
  if (!progressionTriggers.some((each) => each === trigger)) return undefined
  if (!speaksV1(conduct)) return trigger
  const { sendPreparing, sendDelivered, sendPickedUp } = v1FlagsOf(profile, conduct.v1)
  if (trigger === 'ready-for-pickup') return 'readyForPickup'
  if (trigger === 'preparing') return sendPreparing ? trigger : undefined
  if (trigger !== 'delivered') return trigger
  return sendPickedUp ? 'pickedUp' : sendDelivered ? trigger : undefined
}

/** Where orders originate: inside the Ordering Application, and no operation creates one elsewhere (ORD-GEN-03). */
const orderingApplication: Role = 'ordering-application'

/** Why no order can be created in this session; undefined when we play the Ordering Application. */
export function foreignOrigin(
  roles: readonly Role[],
  subject: Role | undefined,
): string | undefined {
  if (roles.includes(orderingApplication)) return undefined
  return subject === orderingApplication
    ? 'orders originate in your service, the Ordering Application: create it there, and CREATED brings it here'
    : `orders originate in the ${fullRoleName[orderingApplication]}, which is not played here: start a session that plays it`
}

/** The lifecycle step of a trigger in the order's status. */
function stepOf(
  { status, order, way }: OrderRecord,
  trigger: OrderTrigger,
  context: DecisionContext,
): OrderStep {
  const profile = order.fulfillment.orderType
  const { conduct } = context.settings
  const next = orderLifecycleIn(conduct).step(status, trigger, profile)
  if (next.kind !== 'passed') return next
  // CONCLUDED ends both the delivered and the cancelled path: a cancelled order has not passed the statuses of the
  // other.
  return way.some((each) => each.status === 'CANCELLED') ? { kind: 'refused' } : next
}

/** What a Software Service may call for the order now, as its paths are called. */
function possibleCalls(record: OrderRecord, context: DecisionContext): readonly string[] {
  const { status, order } = record
  const { conduct } = context.settings
  const profile = order.fulfillment.orderType
  return orderLifecycleIn(conduct)
    .transitionsFrom(status, profile)
    .flatMap(({ trigger }) => orderCallName(trigger, profile, conduct) ?? [])
}

/** There is no delivery to cancel first. */
const noDelivery: DeliveryFirstOutcome = { kind: 'go', facts: [] }

/** `confirm #13 is accepted and takes effect in 100 ms`: what the order waits for; undefined for nothing. */
function acceptedText(
  { order: { id, fulfillment } }: OrderRecord,
  { world, now, settings }: DecisionContext,
): string | undefined {
  for (const { id: item, due, held, command } of world.agenda.byId.values()) {
    if (command.kind !== 'order.apply' || command.orderId !== id) continue
    const { trigger } = command
    const name = orderCallName(trigger, fulfillment.orderType, settings.conduct) ?? trigger
    const when = held ? 'is held back' : `takes effect in ${formatDuration(Math.max(0, due - now))}`
    return `${name} #${item} is accepted and ${when}; wait for its event`
  }
  return undefined
}

/** The first row of a trigger in the lifecycle table, for a forced move. */
function forcedRow(trigger: OrderTrigger): (typeof orderLifecycle)[number] {
  const row = orderLifecycle.find((candidate) => candidate.trigger === trigger)
  if (!row) throw new Error(`the lifecycle has no row for ${trigger}`)
  return row
}

export const orderDecisions: Decisions<
  CommandOf<'order.create' | 'order.request' | 'order.apply' | 'order.track' | 'order.amend'>
> = {
  'order.create'(command, context) {
    const { order, arrival, outside } = command
    const elsewhere = foreignOrigin(context.settings.roles, context.settings.subject)
    if (elsewhere !== undefined) return refuse('CONFLICT', elsewhere)
    if (context.world.ordering.orders.has(order.id))
      return refuse(
        'CONFLICT',
        `there is an order ${order.id} already; leave its id out, and the new one gets a fresh id`,
      )
    const created = { kind: 'order.created', order, ...compact({ arrival, outside }) } as const
    return ok([created, ...orderEventFacts(order, 'CREATED', context)])
  },
  'order.request'(command, context) {
    const { orderId, trigger } = command
    const found = findOrder(orderId, context.world)
    if (!found.ok) return found
    const record = found.value
    const { conduct } = context.settings
    const profile = record.order.fulfillment.orderType
    const called = orderCallName(trigger, profile, conduct) ?? trigger
    const refusalText = (why: string): string =>
      `${called} is not possible for the ${profile} order ${orderId} in ${record.status}: ${why}`
    const next = stepOf(record, trigger, context)
    switch (next.kind) {
      case 'applied':
        return decideRepeatedCall(record, trigger, context)
      case 'passed':
        return conduct.passedTarget === 202
          ? ok([])
          : refuse('INVALID_TRANSITION', refusalText('it is past it'), conduct.passedTarget)
      case 'refused':
        return refuse(
          'INVALID_TRANSITION',
          refusalText(
            acceptedText(record, context) ?? noTransitionText(possibleCalls(record, context)),
          ),
          conduct.invalidTransition.orders,
        )
      case 'moves':
        return record.cancellation === 'accept'
          ? refuse(
              'INVALID_TRANSITION',
              refusalText('its cancellation was accepted'),
              conduct.invalidTransition.orders,
            )
          : ok([{ kind: 'order.requested', orderId, trigger }])
      default:
        return assertNever(next)
    }
  },
  /** Applies a trigger. One that no longer fits lapses: the caller's 202 promised nothing. */
  'order.apply'(command, context) {
    const { orderId, trigger, metadata, force, unconfirmedMs } = command
    const found = findOrder(orderId, context.world)
    if (!found.ok) return found
    const record = found.value
    const { order, status } = record
    const next = stepOf(record, trigger, context)
    const progress = trigger !== 'cancel' && trigger !== 'conclude'
    const isStopped = progress && record.cancellation === 'accept'
    const isInTime = unconfirmedMs !== undefined && status !== 'CREATED'
    if (isInTime || (!force && (next.kind !== 'moves' || isStopped)))
      return ok([{ kind: 'order.lapsed', orderId, trigger, status }])
    const row = next.kind === 'moves' ? next.row : forcedRow(trigger)
    const { to, emits: eventType } = row
    const optional = orderEvents[eventType].obligation[order.fulfillment.orderType] === 'MAY'
    const isSilent = command.quiet === true && optional
    const delivery =
      to === 'CANCELLED' && !force
        ? cancelDeliveryFirst(orderingApplication, orderId, command, context)
        : noDelivery
    if (delivery.kind === 'first') return ok(delivery.facts)
    // An accepted cancellation is carried out, even if the courier can no longer be recalled.
    if (delivery.kind === 'refused' && record.cancellation !== 'accept')
      return ok([{ kind: 'order.lapsed', orderId, trigger, status }])
    const withdrawn = delivery.kind === 'go' ? delivery.facts : []
    const before =
      to === 'CANCELLED' ? [...withdrawn, ...grantPendingCancellation(record, context)] : []
    const moved = {
      kind: 'order.moved',
      orderId,
      trigger,
      from: status,
      to,
      ...compact({ unconfirmedMs }),
    } as const
    const eventFacts = isSilent ? [] : orderEventFacts(order, eventType, context, metadata)
    return ok([
      ...before,
      next.kind === 'moves' ? moved : { ...moved, forced: true as const },
      ...eventFacts,
    ])
  },
  'order.track'({ orderId, update }, { world }) {
    const found = findOrder(orderId, world)
    return found.ok ? ok([{ kind: 'order.tracked', orderId, update }]) : found
  },
  'order.amend'({ orderId, details }, { world }) {
    const found = findOrder(orderId, world)
    return found.ok ? ok([{ kind: 'order.amended', orderId, details }]) : found
  },
}
