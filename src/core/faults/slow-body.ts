/** A message arrives complete, but in pieces with pauses between them (R7). */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

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
