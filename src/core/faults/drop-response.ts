/** The subject's answer to a call of ours is lost (R6), so the call is retried. */
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const endings = ['reset', 'hang'] as const

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
