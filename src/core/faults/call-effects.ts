/** Calls that are accepted with 202 and take effect late or never. */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { z } from 'zod'

/** A call is answered 202, and its effect and event come much later (R1, ORD-RUL-02). */
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

/**
 * A call is answered 202 and never takes effect (R2). The protocol's text promises no more, but a
 * correct partner does it.
 */
export const noEffect = defineFault({
  name: 'no-effect',
  summary: 'a call is accepted with 202, and never takes effect',
  code: 'R2',
  meets: ['effect'],
  legal: false,
  options: z.strictObject({}),
  vary: () => ({}),
  plan: () => [],
})
