/** Polls and acknowledgments that are answered otherwise than at once and in order. */
import type { MessagePoint } from '../engine/faults/fault-point.ts'
import { operation } from '../protocol/catalogue.ts'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord, wholeNumber } from '../protocol/setting.ts'

/** By the command of the handler: the generations of the protocol name their operations differently. */
const isBehind =
  (name: string) =>
  ({ kind, operation: id }: MessagePoint): boolean =>
    kind === 'answer' && operation(id).handler.name === name

/** Whether the subject polls for events. */
const isPollAnswer = isBehind('events.poll')

/** Whether the subject acknowledges events. */
const isAcknowledgmentAnswer = isBehind('events.acknowledge')

const shapes = ['reverse', 'shuffle', 'one', 'backlog'] as const

/**
 * Poll batches: events reversed, shuffled, one per poll, or held back until a backlog has gathered
 * (E9, ORD-EVR-04).
 */
export const batch = defineFault({
  name: 'batch',
  summary:
    'the events of a poll are reordered, split into single events, or collected into a backlog',
  code: 'E9',
  meets: ['answer', 'handover'],
  symptom: 'late',
  options: strictObject(() => ({
    as: oneWord(shapes, 'reverse').describe(
      'backwards, at random, one a poll, or held back until `of` of them wait',
    ),
    of: wholeNumber(2, 1000, 5).describe('how many make a backlog'),
    atMost: Duration.default(15_000).describe('no event of a backlog waits longer'),
  })),
  vary: (chance) => ({
    as: chance.pick(shapes),
    of: chance.between(2, 6),
    atMost: chance.pick([3000, 15_000]),
  }),
  plan: ({ as, of, atMost }, planned, meeting) =>
    as === 'backlog' && meeting.kind === 'handover' && meeting.channel === 'polling'
      ? [{ ...planned, wait: { kind: 'gathered', items: of, atMostMs: atMost } }]
      : undefined,
  message({ as }, meeting, chance) {
    // Fewer than two events look the same in any order.
    if (as === 'backlog' || !isPollAnswer(meeting) || meeting.events.length < 2) return undefined
    switch (as) {
      case 'reverse':
        return { effect: true, change: { kind: 'reverse' } }
      case 'shuffle':
        return { effect: true, change: { kind: 'shuffle', draw: chance.below(1_000_000) } }
      case 'one':
        return { effect: true, change: { kind: 'first', most: 1 } }
      default:
        return as satisfies never
    }
  },
})

/**
 * An acknowledgment is answered 202 but takes effect late (E10): until then polls return its events
 * again. Conformant, as 202 only means accepted.
 */
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
