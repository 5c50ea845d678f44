/**
 * A call is answered 202 and never takes effect (R2). The protocol's text promises no more, but a correct partner does
 * it.
 */
import { z } from 'zod'
import { defineFault } from './fault.ts'

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
