/** Delays an event (E2), by less or more than a typical reconciliation interval of a service. */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

export const delay = defineFault({
  name: 'delay',
  summary: 'an event is delivered late',
  code: 'E2',
  meets: ['handover'],
  symptom: 'late',
  options: strictObject(() => ({ by: Duration.default(5000).describe('how late it comes') })),
  vary: (chance) => ({ by: chance.pick([300, 2000, 8000, 40_000]) }),
  plan: ({ by }, planned) => [{ ...planned, afterMs: planned.afterMs + by }],
})
