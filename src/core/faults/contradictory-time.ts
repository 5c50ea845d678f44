/**
 * `createdAt` of an event is equal to or before that of the order's previous event (E12): clocks of several machines
 * differ, so `createdAt` must not be used for ordering.
 */
import { isoOf } from '../engine/instant.ts'
import { parseDateTime } from '../protocol/date-time.ts'
import { Duration } from '../protocol/duration.ts'
import { planAlteredEvent, alterableHandover } from './alter-event.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const modes = ['equal', 'earlier'] as const

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
