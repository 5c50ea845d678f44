/** The token endpoint fails, is slow, or never answers (R8): a client that needs a token has to wait and recover. */
import type { Distortion } from '../engine/faults/distortion.ts'
import { operation } from '../protocol/catalogue.ts'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const failures = ['fail', 'slow', 'hang'] as const

export const tokenOutage = defineFault({
  name: 'token-outage',
  summary: 'the token endpoint fails, is slow, or never answers',
  code: 'R8',
  meets: ['answer'],
  symptom: 'failing',
  traits: ['client-wide'],
  options: strictObject(() => ({
    how: oneWord(failures, 'fail').describe('it answers 503, it answers late, or never'),
    by: Duration.default(5000).describe('how late, where it is slow'),
  })),
  vary: (chance) => ({ how: chance.pick(failures), by: chance.pick([1000, 5000]) }),
  message({ how, by }, meeting): Distortion | undefined {
    if (operation(meeting.operation).handler.name !== 'token.issue') return undefined
    switch (how) {
      case 'fail':
        return {
          effect: false,
          reply: {
            status: 503,
            error: { code: 'UNAVAILABLE', message: 'no tokens for the moment' },
          },
        }
      case 'slow':
        return { effect: true, afterMs: by }
      case 'hang':
        return { effect: false, end: 'hang' }
      default:
        how satisfies never
        return undefined
    }
  },
})
