import { expect, test } from 'vitest'
import { roundDelay } from './time-axis.ts'

test.each([
  [2996, 10, 3000],
  [2920, 200, 3000],
  [3000, 10, 3000],
  [1518, 10, 1520],
  [4600, 10, 4600],
  [119_995, 10, 120_000],
  [105, 200, 100],
  [12, 10, 10],
  [3, 10, 3],
  [0, 10, 0],
])('%d ms, known to %d ms, is %d ms', (ms, resolutionMs, rounded) => {
  expect(roundDelay(ms, resolutionMs)).toBe(rounded)
})
