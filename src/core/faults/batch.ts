/**
 * Poll batches: events reversed, shuffled, one per poll, or held back until a backlog has gathered (E9, ORD-EVR-04).
 */
import { isPollAnswer } from './answer-operation.ts'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { wholeNumber, oneWord } from '../protocol/setting.ts'

const shapes = ['reverse', 'shuffle', 'one', 'backlog'] as const

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
