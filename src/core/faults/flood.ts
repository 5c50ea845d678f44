/** The same event arrives many times in a short time: a partner with runaway retries. */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { wholeNumber } from '../protocol/setting.ts'

export const flood = defineFault({
  name: 'flood',
  summary: 'an event is delivered over and over, many times a second',
  code: 'H2',
  meets: ['handover'],
  legal: false,
  options: strictObject(() => ({
    times: wholeNumber(2, 2000, 100).describe('how often it comes'),
    within: Duration.default(1000).describe('in which time'),
  })),
  vary: (chance) => ({ times: chance.pick([20, 100]), within: chance.pick([0, 1000, 10_000]) }),
  plan: ({ times, within }, planned) =>
    Array.from({ length: times }, (_, index) =>
      index === 0
        ? planned
        : { ...planned, afterMs: planned.afterMs + Math.floor((within * index) / times) },
    ),
})
