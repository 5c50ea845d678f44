/** Delays an event (E2), by less or more than a typical reconciliation interval of a service. */
import type { z } from 'zod'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

const options = strictObject(() => ({ by: Duration.default(5000).describe('how late it comes') }))

export const delay = defineFault<z.infer<typeof options>>({
  name: 'delay',
  summary: 'an event is delivered late',
  code: 'E2',
  meets: ['handover'],
  symptom: 'late',
  legal: true,
  options,
  vary: (chance) => ({ by: chance.pick([300, 2000, 8000, 40_000]) }),
  plan: ({ by }, planned) => [{ ...planned, afterMs: planned.afterMs + by }],
})
