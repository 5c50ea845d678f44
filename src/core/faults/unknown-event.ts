/** An additional event of a type unknown to the protocol (E11, ORD-EVR-05). */
import { z } from 'zod'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import type { UnknownEventType } from '../engine/emitted-event.ts'
import { strictObject } from '../base/lazy-object.ts'

const isMadeUpType = (type: string): boolean => type.startsWith('X_')

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
    if (meeting.kind !== 'handover' || meeting.orderId === undefined) return undefined
    // Made-up events must not trigger further ones; and only Orders has events that can be made up.
    if (meeting.extra || isMadeUpType(meeting.eventType) || meeting.from !== 'ordering-application')
      return undefined
    // Once per event with both channels: the additional one uses both as well.
    if (meeting.alsoBy === 'polling' || meeting.recorded) return undefined
    const { orderId } = meeting
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
