/** A request is answered 429 and takes no effect (R4); Retry-After is in seconds, a date, or absent. */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const retryNotations = ['seconds', 'date', 'absent'] as const

export const rateLimit = defineFault({
  name: 'rate-limit',
  summary: 'a request is answered 429 and takes no effect',
  code: 'R4',
  meets: ['answer'],
  traits: ['failure', 'client-wide'],
  namesDate: ({ retry }) => retry === 'date',
  options: strictObject(() => ({
    retry: oneWord(retryNotations, 'seconds').describe('how Retry-After says when to come again'),
    by: Duration.default(2000).describe('when that is, from now; in whole seconds'),
  })),
  isRetried: true,
  vary: (chance) => ({ retry: chance.pick(retryNotations), by: chance.pick([1000, 5000, 30_000]) }),
  message: ({ retry, by }) => ({
    effect: false,
    reply: {
      status: 429,
      error: { code: 'RATE_LIMITED', message: 'too many requests for the moment' },
      ...(retry === 'seconds' ? { headers: { 'retry-after': String(Math.ceil(by / 1000)) } } : {}),
      ...(retry === 'date' ? { retryAtMs: by } : {}),
    },
  }),
})
