/** Messages that are cut, slowed or lost on the wire. */
import { oneWord } from '../protocol/setting.ts'
import type { Chance } from '../engine/chance.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { z } from 'zod'
import { Duration } from '../protocol/duration.ts'

const effectTimings = ['before', 'after'] as const

/** A request of the subject is lost before or after it took effect; a call of ours on the way, or its answer. */
const lost = {
  meets: ['answer', 'call'],
  symptom: 'failing',
  options: strictObject(() => ({
    effect: oneWord(effectTimings, 'before').describe(
      'before the request takes effect where it goes, or after it has',
    ),
  })),
  vary: (chance: Chance) => ({ effect: chance.pick(effectTimings) }),
} as const

/** No answer ever comes (R5), until the caller's timeout. */
export const hang = defineFault({
  ...lost,
  name: 'hang',
  summary: 'a request is never answered',
  code: 'R5',
  traits: ['failure', 'permanent', 'transport'],
  message: ({ effect }) => ({ effect: effect === 'after', end: 'hang' }),
})

/** Resets the connection before the first byte of an answer (R6). */
export const reset = defineFault({
  ...lost,
  name: 'reset',
  summary: 'the connection is reset before the reply',
  code: 'R6',
  traits: ['failure', 'transport'],
  isRetried: true,
  message: ({ effect }) => ({ effect: effect === 'after', end: 'reset' }),
})

/**
 * A message is truncated in the middle of its body (R6): an answer after the request took effect,
 * or a call of ours before it is complete. Content-Length is right, so the receiver can detect the
 * missing half.
 */
export const truncate = defineFault({
  name: 'truncate',
  summary: 'the body of a request or a reply is truncated',
  code: 'R6',
  meets: ['answer', 'call'],
  symptom: 'failing',
  traits: ['failure'],
  options: z.strictObject({}),
  vary: () => ({}),
  message(_chosen, { kind, method }) {
    if (kind === 'answer') return { effect: true, end: 'truncate' }
    return method === 'GET' ? undefined : { effect: false, end: 'truncate' }
  },
})

const endings = ['reset', 'hang'] as const

/** The subject's answer to a call of ours is lost (R6), so the call is retried. */
export const dropResponse = defineFault({
  name: 'drop-response',
  summary: 'the reply to a webhook or another call is lost, so that it is sent again',
  code: 'R6',
  meets: ['call'],
  symptom: 'failing',
  options: strictObject(() => ({
    how: oneWord(endings, 'reset').describe(
      'the connection is reset, or nothing is heard until the time is over',
    ),
  })),
  vary: (chance) => ({ how: chance.pick(endings) }),
  message: ({ how }) => ({ effect: true, end: how }),
})

/** A message arrives complete, but in pieces with pauses between them (R7). */
export const slowBody = defineFault({
  name: 'slow-body',
  summary: 'a body is sent in pieces, with pauses between them',
  code: 'R7',
  meets: ['answer', 'call'],
  symptom: 'slow',
  traits: ['transport'],
  options: strictObject(() => ({
    by: Duration.default(4000).describe('the time from its first byte to its last'),
  })),
  vary: (chance) => ({ by: chance.pick([500, 4000, 8000]) }),
  // A GET call has no body to split.
  message: ({ by }, { kind, method }) =>
    kind === 'call' && method === 'GET'
      ? undefined
      : { effect: true, end: 'slow-body', afterMs: by },
})

/**
 * An answer is computed at once and sent later (R7, R11): it may be out of date by then, and a
 * later answer or event may overtake it. A call of ours is sent later.
 */
export const slowResponse = defineFault({
  name: 'slow-response',
  summary: 'a reply is late, and shows the state at the time of the request',
  code: 'R7, R11',
  meets: ['answer', 'call'],
  symptom: 'slow',
  traits: ['transport'],
  options: strictObject(() => ({
    by: Duration.default(3000).describe('how much later; what was asked for is done at once'),
  })),
  vary: (chance) => ({ by: chance.pick([200, 1500, 4000, 8000, 15_000]) }),
  message: ({ by }) => ({ effect: true, afterMs: by }),
})
