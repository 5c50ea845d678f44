import { expect, test } from 'vitest'
import type { ScheduledFault } from '../schedules/schedule.ts'
import { scheduledFaultWords } from './campaign-text.ts'

const fault: ScheduledFault = {
  name: 'fail',
  match: { operation: 'confirmOrder', order: 'o1' },
  options: { status: 500, effect: 'before' },
}

test.each([
  [undefined, ''],
  [3, ', 3 attempts'],
  ['outlast', ', each attempt until the caller gives up'],
] as const)('a fault with the burst %s is told with its sizes', (burst, end) => {
  const words = scheduledFaultWords(burst === undefined ? fault : { ...fault, burst })
  expect(words).toBe(`fail (status 500, effect before) on confirmOrder of o1${end}`)
})
