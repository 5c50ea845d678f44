/**
 * A repeated call is answered 202 like any other, and the event of the first call is handed over again (E8, ORD-RUL-04)
 * under the same id. With a new id it is a new event by the protocol's wording; findings are advice then.
 */
import { z } from 'zod'
import type { PlannedCommand } from '../engine/agenda/item.ts'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import type { EventChannel } from '../engine/emitted-event.ts'
import { strictObject } from '../base/lazy-object.ts'

const planHandover = (channel: EventChannel, eventId: string, afterMs: number): PlannedCommand => ({
  command:
    channel === 'polling'
      ? { kind: 'event.offer', eventId }
      : { kind: 'event.push', eventId, attempt: 1 },
  afterMs,
})

export const redeliver = defineFault({
  name: 'redeliver',
  summary: 'a call that is repeated emits its event again',
  code: 'E8',
  meets: ['answer'],
  symptom: 'again',
  legal: ({ newId }) => newId === undefined,
  options: strictObject(() => ({
    newId: z.literal(true).optional().describe('as a new event, with an id of its own'),
    by: Duration.default(200).describe('how long after the call'),
  })),
  vary: (chance) => ({ by: chance.pick([1, 200, 5000]) }),
  message({ newId, by }, meeting) {
    if (meeting.kind !== 'answer' || !meeting.repeats) return undefined
    const { orderId = '', repeats } = meeting
    const { eventId, eventType, channels } = repeats
    const plans: readonly PlannedCommand[] = newId
      ? [{ command: { kind: 'event.emit', orderId, eventType }, afterMs: by }]
      : channels.map((channel) => planHandover(channel, eventId, by))
    return { effect: true, plans }
  },
})
