import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Duration, formatDuration, parseDuration } from './duration.ts'

test.each([
  ['250ms', 250],
  ['5s', 5000],
  ['1.5 s', 1500],
  ['2m', 120_000],
  ['24h', 86_400_000],
  [' 0ms ', 0],
  ['0', 0],
])('%j parses to %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '5', '-5s', '5 days', 's', '1e3s', 'Infinity'])(
  '%j is an invalid duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
    expect(Duration.safeParse(text).success).toBe(false)
  },
)

test('round trip: a formatted duration parses to the same milliseconds', () => {
  fc.assert(
    fc.property(fc.nat(10 ** 9), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms)
    }),
  )
})

test('a number is a non-negative integer of milliseconds', () => {
  expect(Duration.parse(1500)).toBe(1500)
  expect(Duration.safeParse(-1).success).toBe(false)
  expect(Duration.safeParse(0.5).success).toBe(false)
})
