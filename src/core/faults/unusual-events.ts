/** Events with content that a reader does not expect. */
import type { HandoverPoint, PlanPoint } from '../engine/faults/fault-point.ts'
import type { PlannedCommand } from '../engine/agenda/item.ts'
import { z } from 'zod'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import type { UnknownEventType } from '../engine/emitted-event.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'
import { isoOf } from '../engine/instant.ts'
import { parseDateTime } from '../protocol/date-time.ts'
import { orderEvents, orderEventTypes } from '../protocol/orders/events.ts'

/**
 * The handover of an event that may still be altered. With two channels it is altered in the handover that is planned
 * first, or the other might have delivered the original.
 */
const alterableHandover = (meeting: PlanPoint): HandoverPoint | undefined =>
  meeting.kind === 'handover' && meeting.alsoBy !== 'polling' && !meeting.recorded
    ? meeting
    : undefined

/**
 * Alters an event before its first handover: from then on it is the same on every channel and in
 * every attempt (ORD-GEN-02).
 */
const planAlteredEvent = (
  eventId: string,
  change: Readonly<Record<string, unknown>>,
  planned: PlannedCommand,
): readonly PlannedCommand[] => [
  { command: { kind: 'event.alter', eventId, change }, afterMs: 0 },
  planned,
]

/**
 * The event behind which another one of its order may be made up: by Orders alone, and not behind one that is made up. With
 * both channels that is so once per event, since the additional one uses both as well.
 */
function followableEvent(meeting: PlanPoint): { orderId: string; eventType: string } | undefined {
  const event = alterableHandover(meeting)
  if (event?.orderId === undefined || event.extra || event.from !== 'ordering-application')
    return undefined
  return { orderId: event.orderId, eventType: event.eventType }
}

const isMadeUpType = (type: string): boolean => type.startsWith('X_')

/** An additional event of a type unknown to the protocol (E11, ORD-EVR-05). */
export const unknownEvent = defineFault({
  name: 'unknown-event',
  summary: 'an event of an unknown type is sent',
  code: 'E11',
  meets: ['handover'],
  symptom: 'unknown',
  options: strictObject(() => ({
    type: z
      .string()
      .regex(/^X_[A-Z0-9_]{1,60}$/, 'must begin with X_, and have capitals, digits and _')
      .default('X_LOYALTY_HINT')
      .describe('what it is called: X_ and a word'),
    by: Duration.default(0).describe('how long after the event that it comes along with'),
  })),
  vary: (chance) => ({
    type: chance.pick(['X_LOYALTY_HINT', 'X_KITCHEN_PRINTED', 'X_ORDER_UPDATED']),
    by: chance.pick([0, 3000]),
  }),
  plan({ type, by }, planned, meeting) {
    const event = followableEvent(meeting)
    if (!event || isMadeUpType(event.eventType)) return undefined
    const { orderId } = event
    const eventType = type as UnknownEventType
    return [
      planned,
      {
        command: { kind: 'event.invent', orderId, eventType },
        afterMs: planned.afterMs + by,
      },
    ]
  },
})

const values = {
  text: 'alta',
  number: 4.5,
  object: { nested: { deep: [1, 'two', null] } },
  list: [1, 'two', { three: 3 }],
  null: null,
} as const

/** An event has fields unknown to the protocol (E11), which a reader must ignore. */
export const unknownField = defineFault({
  name: 'unknown-field',
  summary: 'an event has an unknown field',
  code: 'E11',
  meets: ['handover'],
  symptom: 'unknown',
  options: strictObject(() => ({
    name: z
      .string()
      .regex(/^x_[a-z0-9_]{1,60}$/, 'must begin with x_, and have small letters, digits and _')
      .default('x_priority')
      .describe('what the field is called: x_ and a word'),
    of: oneWord(['text', 'number', 'object', 'list', 'null'], 'object').describe(
      'the kind of its value',
    ),
  })),
  vary: (chance) => ({
    name: chance.pick(['x_priority', 'x_trace']),
    of: chance.pick(['text', 'number', 'object', 'list', 'null'] as const),
  }),
  plan({ name, of }, planned, meeting) {
    const event = alterableHandover(meeting)
    return event && planAlteredEvent(event.eventId, { [name]: values[of] }, planned)
  },
})

const modes = ['equal', 'earlier'] as const

/**
 * `createdAt` of an event is equal to or before that of the order's previous event (E12): clocks of
 * several machines differ, so `createdAt` must not be used for ordering.
 */
export const contradictoryTime = defineFault({
  name: 'contradictory-time',
  summary: 'an event has an earlier createdAt than the event before it',
  code: 'E12',
  meets: ['handover'],
  options: strictObject(() => ({
    as: oneWord(modes, 'earlier').describe('made when the one before it was, or earlier'),
    by: Duration.default(1000).describe('how much earlier'),
  })),
  vary: (chance) => ({ as: chance.pick(modes), by: chance.pick([1, 1000, 60_000]) }),
  plan({ as, by }, planned, meeting) {
    const event = alterableHandover(meeting)
    const before = event?.previousAt === undefined ? undefined : parseDateTime(event.previousAt)
    if (!event || before === undefined) return undefined
    const createdAt = isoOf(as === 'equal' ? before : before - by)
    return planAlteredEvent(event.eventId, { createdAt }, planned)
  },
})

const projectingTypes = orderEventTypes.filter((type) => orderEvents[type].projects !== undefined)

/**
 * An event that the lifecycle does not allow and GET does not confirm: only a broken partner sends
 * one.
 */
export const illegalTransition = defineFault({
  name: 'illegal-transition',
  summary: 'an event announces a status that the order cannot have',
  code: 'H1',
  meets: ['handover'],
  legal: false,
  options: strictObject(() => ({
    says: oneWord(orderEventTypes, 'CONFIRMED').describe(
      'the event that comes although it is not so',
    ),
    by: Duration.default(1000).describe('how long after the event that it comes behind'),
  })),
  vary: (chance) => ({ says: chance.pick(projectingTypes), by: chance.pick([0, 1000, 10_000]) }),
  plan({ says, by }, planned, meeting) {
    const event = followableEvent(meeting)
    if (!event || event.eventType === says) return undefined
    const { orderId } = event
    return [
      planned,
      {
        command: { kind: 'event.emit', orderId, eventType: says, force: true },
        afterMs: planned.afterMs + by,
      },
    ]
  },
})
