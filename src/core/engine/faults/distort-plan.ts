/**
 * Applies the faults in force to a plan before it becomes an item: each matching fault gets the plans that the one
 * before left.
 */
import { compact } from '../../base/compact.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { PlannedCommand } from '../agenda/item.ts'
import type { OrderRecord, World } from '../world.ts'
import { isOrderEventType, orderEvents } from '../../protocol/orders/events.ts'
import { isChannelExcluded } from '../orders/receiver.ts'
import { evaluateFault, faultPassedFact } from './evaluate-fault.ts'
import { candidateFaults } from './fault-index.ts'
import { couldAnyFaultMatch, keepsTally } from './match.ts'
import type { ArrivalPoint, HandoverPoint, PlanPoint } from './fault-point.ts'
import type { EventChannel, EmittedEvent } from '../emitted-event.ts'

/** Events that alone reveal an entity: there is no list operation for it, or none that every partner serves. */
export const revealingEvents: ReadonlySet<string> = new Set([
  'CREATED',
  'ACCOUNT_OPENED',
  'customer.created',
  'lead.created',
  'order.created',
  'review.created',
])

/**
 * Whether an event of an order was made up by a fault: unknown type, a status that the order is not in, or a repeated
 * type. Such an event must not trigger further made-up events, or they would never end.
 */
function isMadeUp(
  { eventType }: EmittedEvent,
  before: readonly string[],
  { status }: OrderRecord,
  { ordering }: World,
): boolean {
  if (eventType.startsWith('X_')) return true
  const projects = isOrderEventType(eventType) ? orderEvents[eventType].projects : undefined
  if (projects !== undefined && projects !== status) return true
  return before.some((each) => ordering.events.get(each)?.eventType === eventType)
}

/** Details of an event of Orders: whether it is the last one, its predecessor, and its other channel. */
function orderEventDetails(
  event: EmittedEvent,
  channel: EventChannel,
  { world, settings: { channels } }: DecisionContext,
): Pick<HandoverPoint, 'closes' | 'alsoBy' | 'previousAt' | 'extra'> {
  const { ordering } = world
  const { eventId, orderId } = event
  const record = ordering.orders.get(orderId)
  const eventIds = record?.eventIds ?? []
  const at = eventIds.lastIndexOf(eventId)
  const previous = at > 0 ? ordering.events.get(eventIds[at - 1] ?? '') : undefined
  const other = channel === 'polling' ? 'webhook' : 'polling'
  const both = channels.polling && channels.webhook && !isChannelExcluded(other, world)
  return {
    closes: ordering.over.has(orderId),
    ...(record && isMadeUp(event, eventIds.slice(0, Math.max(0, at)), record, world)
      ? { extra: true }
      : {}),
    ...(both ? { alsoBy: other } : {}),
    ...(previous ? { previousAt: previous.createdAt } : {}),
  }
}

/** The fault point of an event that is about to be handed over. */
function handoverPoint(
  eventId: string,
  channel: EventChannel,
  context: DecisionContext,
): HandoverPoint | undefined {
  const { ordering, announcements } = context.world
  const own = ordering.events.get(eventId)
  const event = own ?? announcements.events.get(eventId)
  if (!event) return undefined
  const { eventType, orderId, merchantId } = event
  if (!couldAnyFaultMatch(context.world, { kind: 'handover', orderId })) return undefined
  return {
    kind: 'handover',
    channel,
    eventId,
    eventType,
    from: 'from' in event ? event.from : 'ordering-application',
    reveals: revealingEvents.has(eventType),
    ...(own ? orderEventDetails(own, channel, context) : { closes: false }),
    ...compact({ orderId, merchantId }),
  }
}

/** The fault point of a recorded event. */
function playbackPoint(
  { event, orderId }: Extract<PlannedCommand['command'], { kind: 'playback.send' }>,
  { world }: DecisionContext,
): HandoverPoint | undefined {
  if (!event || !couldAnyFaultMatch(world, { kind: 'handover', orderId })) return undefined
  return {
    kind: 'handover',
    channel: 'webhook',
    ...event,
    reveals: revealingEvents.has(event.eventType),
    closes: false,
    recorded: true,
    ...compact({ orderId }),
  }
}

/** The fault point of an order that is made up. */
function arrivalPoint(
  { order, arrival }: Extract<PlannedCommand['command'], { kind: 'order.create' }>,
  { world }: DecisionContext,
): ArrivalPoint | undefined {
  const { id: orderId, merchant } = order
  if (arrival === undefined || !couldAnyFaultMatch(world, { kind: 'arrival', orderId }))
    return undefined
  const { id: merchantId, externalCode: merchantCode } = merchant
  return { kind: 'arrival', arrival, orderId, merchantId, ...compact({ merchantCode }) }
}

/** The fault point of a plan: an event about to be handed over, an accepted call about to take effect, an order, or none. */
export function planPointOf(
  { command }: PlannedCommand,
  cause: Fact,
  context: DecisionContext,
): PlanPoint | undefined {
  const { ordering } = context.world
  if (command.kind === 'event.offer') return handoverPoint(command.eventId, 'polling', context)
  if (command.kind === 'event.push')
    return command.attempt === 1 ? handoverPoint(command.eventId, 'webhook', context) : undefined
  if (command.kind === 'playback.send') return playbackPoint(command, context)
  if (command.kind === 'order.create') return arrivalPoint(command, context)
  if (!cause.kind.endsWith('requested')) return undefined
  const trigger = 'trigger' in command ? command.trigger : command.kind
  const orderId = 'orderId' in command ? command.orderId : undefined
  if (!couldAnyFaultMatch(context.world, { kind: 'effect', orderId })) return undefined
  const merchantId =
    orderId === undefined ? undefined : ordering.orders.get(orderId)?.order.merchant.id
  return {
    kind: 'effect',
    trigger,
    ...compact({ orderId, merchantId }),
  }
}

export interface DistortedPlans {
  readonly plans: readonly PlannedCommand[]
  readonly facts: readonly Fact[]
}

/** The distorted plans; undefined when the plan has no fault point. */
export function distortPlan(
  planned: PlannedCommand,
  cause: Fact,
  context: DecisionContext,
): DistortedPlans | undefined {
  const { faults: port, world } = context
  const meeting = port && planPointOf(planned, cause, context)
  if (!meeting) return undefined
  const facts: Fact[] = []
  let plans: readonly PlannedCommand[] = [planned]
  for (const fault of candidateFaults(world.faults, meeting)) {
    const evaluation = evaluateFault(fault, meeting, context, (chance) =>
      port.distortPlan(fault, planned, meeting, chance),
    )
    if (evaluation.kind === 'nothing') continue
    if (plans.length === 0) {
      // A lost event cannot be distorted further; faults that keep a tally still count it.
      if (keepsTally(fault)) facts.push(faultPassedFact(evaluation.fact))
      continue
    }
    facts.push(evaluation.fact)
    if (evaluation.kind !== 'made') continue
    const value = evaluation.value.map((each) =>
      each === planned ? each : { ...each, fault: fault.id },
    )
    // The first matching fault distorts the plan itself; later ones distort each plan that is left of it.
    plans = plans.flatMap((each) =>
      each === planned ? value : distortRemaining(each, planned, value),
    )
  }
  return { plans: plans.length === 0 ? reportLoss(planned) : plans, facts }
}

/** The player waits for what it sends, so a loss must be reported as the end of the exchange. */
const reportLoss = ({ command, afterMs }: PlannedCommand): readonly PlannedCommand[] =>
  command.kind === 'playback.send'
    ? [
        {
          command: {
            kind: 'playback.conclude',
            recordId: command.recordId,
            standing: 'noise',
            note: 'a fault lost it on the way',
          },
          afterMs,
        },
      ]
    : []

/** Applies the distortion of a later fault to a plan that an earlier one left: their delays add up. */
function distortRemaining(
  remaining: PlannedCommand,
  original: PlannedCommand,
  distortions: readonly PlannedCommand[],
): readonly PlannedCommand[] {
  if (remaining.command !== original.command) return [remaining]
  return distortions.map((each) =>
    each.command === original.command
      ? {
          ...remaining,
          ...each,
          afterMs: remaining.afterMs + each.afterMs - original.afterMs,
          // The wait of the first fault is kept, and with it the fault id by which waiting items are grouped.
          ...(remaining.wait && !each.wait && remaining.fault !== undefined
            ? { fault: remaining.fault }
            : {}),
        }
      : each,
  )
}
