/**
 * An answer is computed at once and sent later (R7, R11): it may be out of date by then, and a later answer or event
 * may overtake it. A call of ours is sent later.
 */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

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
