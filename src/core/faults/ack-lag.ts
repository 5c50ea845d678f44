/**
 * An acknowledgment is answered 202 but takes effect late (E10): until then polls return its events again. Conformant, as
 * 202 only means accepted.
 */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { isAcknowledgmentAnswer } from './answer-operation.ts'
import { strictObject } from '../base/lazy-object.ts'
import { wholeNumber } from '../protocol/setting.ts'

export const ackLag = defineFault({
  name: 'ack-lag',
  summary: 'events are delivered again although their acknowledgment was accepted',
  code: 'E10',
  meets: ['answer'],
  symptom: 'again',
  options: strictObject(() => ({
    polls: wholeNumber(1, 100, 2).describe('in so many polls its events come again'),
    atMost: Duration.default(60_000).describe('it takes effect after this time, polled or not'),
  })),
  vary: (chance) => ({ polls: chance.between(1, 3), atMost: chance.pick([10_000, 60_000]) }),
  message({ polls, atMost }, meeting) {
    const eventIds = meeting.events.flatMap(({ eventId }) => eventId ?? [])
    if (!isAcknowledgmentAnswer(meeting) || eventIds.length === 0) return undefined
    return {
      effect: false,
      reply: { status: 202 },
      plans: [
        {
          command: { kind: 'events.acknowledge', eventIds },
          afterMs: 0,
          wait: { kind: 'polled', polls, atMostMs: atMost },
        },
      ],
    }
  },
})
