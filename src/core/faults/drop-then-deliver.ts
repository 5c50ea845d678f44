/**
 * A lost event is delivered after all (E6), so late that a service that reconciles has found out long before. Nothing
 * is visible of the lost attempt.
 */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

export const dropThenDeliver = defineFault({
  name: 'drop-then-deliver',
  summary: 'an event seems lost, and is delivered much later',
  code: 'E6',
  meets: ['handover'],
  symptom: 'late',
  traits: ['loss'],
  options: strictObject(() => ({
    by: Duration.default(45_000).describe(
      'how late it is delivered: longer than your service takes to read the order again',
    ),
  })),
  vary: (chance) => ({ by: chance.pick([20_000, 45_000, 70_000]) }),
  plan: ({ by }, planned) => [{ ...planned, afterMs: planned.afterMs + by }],
})
