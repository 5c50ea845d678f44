/** A call is answered 202, and its effect and event come much later (R1, ORD-RUL-02). */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

export const slowEffect = defineFault({
  name: 'slow-effect',
  summary: 'a call is accepted with 202, and takes effect much later',
  code: 'R1',
  meets: ['effect'],
  options: strictObject(() => ({
    by: Duration.default(5000).describe('how much longer than usual the effect takes'),
  })),
  vary: (chance) => ({ by: chance.pick([500, 3000, 12_000]) }),
  plan: ({ by }, planned) => [{ ...planned, afterMs: planned.afterMs + by }],
})
