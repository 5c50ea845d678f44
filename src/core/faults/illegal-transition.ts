/** An event that the lifecycle does not allow and GET does not confirm: only a broken partner sends one. */
import { orderEventTypes, orderEvents } from '../protocol/orders/events.ts'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const projectingTypes = orderEventTypes.filter((type) => orderEvents[type].projects !== undefined)

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
    if (meeting.kind !== 'handover' || meeting.orderId === undefined) return undefined
    // Made-up events, by this or another fault, must not trigger the next one.
    if (meeting.eventType === says || meeting.extra || meeting.from !== 'ordering-application')
      return undefined
    if (meeting.alsoBy === 'polling' || meeting.recorded) return undefined
    const { orderId } = meeting
    return [
      planned,
      {
        command: { kind: 'event.emit', orderId, eventType: says, force: true },
        afterMs: planned.afterMs + by,
      },
    ]
  },
})
