/** What faults make of a plan before it becomes an item: each that means it gets what the one before has left. */
import type { Context } from '../decision.ts'
import type { Channel, Fact } from '../fact.ts'
import type { Planned } from '../agenda/item.ts'
import type { EmittedEvent } from '../fact.ts'
import type { OrderRecord, World } from '../world.ts'
import { isOrderEventType, orderEvents } from '../../protocol/orders/events.ts'
import { rulesOut } from '../orders/receiver.ts'
import { ask, passed } from './ask.ts'
import { couldMean, counts } from './match.ts'
import type { HandoverMeeting, PlanMeeting } from './meeting.ts'

/** Events that alone say of something that it is there: no list does, or none that everybody serves. */
const revealing: ReadonlySet<string> = new Set([
  'CREATED',
  'ACCOUNT_OPENED',
  'customer.created',
  'lead.created',
  'order.created',
  'review.created',
])

/**
 * Whether an event of an order is made up: of no known type, of a status that its order is not in, or of a type that was
 * there before. What such an event brought along would be made up as well, and so on without end.
 */
function isExtra(
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

/** What is known of an event of Orders besides: whether it is the last, what came before it, and how else it goes. */
function ofOrder(
  event: EmittedEvent,
  channel: Channel,
  { world, settings: { channels } }: Context,
): Pick<HandoverMeeting, 'closes' | 'alsoBy' | 'previousAt' | 'extra'> {
  const { ordering } = world
  const { eventId, orderId } = event
  const record = ordering.orders.get(orderId)
  const eventIds = record?.eventIds ?? []
  const at = eventIds.lastIndexOf(eventId)
  const previous = at > 0 ? ordering.events.get(eventIds[at - 1] ?? '') : undefined
  const other = channel === 'polling' ? 'webhook' : 'polling'
  const both = channels.polling && channels.webhook && !rulesOut(other, world)
  return {
    closes: ordering.over.has(orderId),
    ...(record && isExtra(event, eventIds.slice(0, Math.max(0, at)), record, world)
      ? { extra: true }
      : {}),
    ...(both ? { alsoBy: other } : {}),
    ...(previous ? { previousAt: previous.createdAt } : {}),
  }
}

/** An event on its way to whoever is to hear of it. */
function handover(
  eventId: string,
  channel: Channel,
  context: Context,
): HandoverMeeting | undefined {
  const { ordering, announcements } = context.world
  const own = ordering.events.get(eventId)
  const event = own ?? announcements.events.get(eventId)
  if (!event) return undefined
  const { eventType, orderId, merchantId } = event
  if (!couldMean(context.world, { kind: 'handover', orderId })) return undefined
  return {
    kind: 'handover',
    channel,
    eventId,
    eventType,
    from: 'from' in event ? event.from : 'ordering-application',
    reveals: revealing.has(eventType),
    ...(own ? ofOrder(own, channel, context) : { closes: false }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(merchantId === undefined ? {} : { merchantId }),
  }
}

/** The same, where the event is a recorded one. */
function played(
  { event, orderId }: Extract<Planned['command'], { kind: 'playback.send' }>,
  { world }: Context,
): HandoverMeeting | undefined {
  if (!event || !couldMean(world, { kind: 'handover', orderId })) return undefined
  return {
    kind: 'handover',
    channel: 'webhook',
    ...event,
    reveals: revealing.has(event.eventType),
    closes: false,
    recorded: true,
    ...(orderId === undefined ? {} : { orderId }),
  }
}

/**
 * What a plan is to the faults in force: an event on its way, an accepted call on its way to its effect, or nothing to any
 * of them.
 */
export function planMeeting(
  { command }: Planned,
  cause: Fact,
  context: Context,
): PlanMeeting | undefined {
  const { ordering } = context.world
  if (command.kind === 'event.offer') return handover(command.eventId, 'polling', context)
  if (command.kind === 'event.push')
    return command.attempt === 1 ? handover(command.eventId, 'webhook', context) : undefined
  if (command.kind === 'playback.send') return played(command, context)
  if (!cause.kind.endsWith('requested')) return undefined
  const trigger = 'trigger' in command ? command.trigger : command.kind
  const orderId = 'orderId' in command ? command.orderId : undefined
  if (!couldMean(context.world, { kind: 'effect', orderId })) return undefined
  const merchantId =
    orderId === undefined ? undefined : ordering.orders.get(orderId)?.order.merchant.id
  return {
    kind: 'effect',
    trigger,
    ...(orderId === undefined ? {} : { orderId }),
    ...(merchantId === undefined ? {} : { merchantId }),
  }
}

export interface DistortedPlans {
  readonly plans: readonly Planned[]
  readonly facts: readonly Fact[]
}

/** What is left of a plan; undefined when no fault has anything to do with it. */
export function distortPlan(
  planned: Planned,
  cause: Fact,
  context: Context,
): DistortedPlans | undefined {
  const { faults: port, world } = context
  const meeting = port && planMeeting(planned, cause, context)
  if (!meeting) return undefined
  const facts: Fact[] = []
  let plans: readonly Planned[] = [planned]
  for (const fault of world.faults.live.values()) {
    const asked = ask(fault, meeting, context, (chance) =>
      port.distortPlan(fault, planned, meeting, chance),
    )
    if (asked.kind === 'nothing') continue
    if (plans.length === 0) {
      // What is lost can be distorted no more; whoever counts has seen it all the same.
      if (counts(fault)) facts.push(passed(asked.fact))
      continue
    }
    facts.push(asked.fact)
    if (asked.kind !== 'made') continue
    const value = asked.value.map((each) =>
      each === planned ? each : { ...each, fault: fault.id },
    )
    // The first one says what becomes of the plan itself; those after it, what becomes of each that is left of it.
    plans = plans.flatMap((each) => (each === planned ? value : again(each, planned, value)))
  }
  return { plans: plans.length === 0 ? instead(planned) : plans, facts }
}

/** Whoever plays a recording waits for what it sends: that it is lost on the way must be said. */
const instead = ({ command, afterMs }: Planned): readonly Planned[] =>
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

/** What another fault made of the plan, done to one that a fault before it has left: its delays add up. */
function again(left: Planned, original: Planned, made: readonly Planned[]): readonly Planned[] {
  if (left.command !== original.command) return [left]
  return made.map((each) =>
    each.command === original.command
      ? {
          ...left,
          ...each,
          afterMs: left.afterMs + each.afterMs - original.afterMs,
          // It waits for what the first one said, together with all others that wait for that.
          ...(left.wait && !each.wait && left.fault !== undefined ? { fault: left.fault } : {}),
        }
      : each,
  )
}
