import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoOf } from '../engine/instant.ts'
import { DateTime, parseDateTime } from './date-time.ts'

test.each([
  ['1970-01-01T00:00:00Z', 0],
  ['2026-01-05T15:00:00.000Z', 1_767_625_200_000],
  ['2026-01-05T12:00:00-03:00', 1_767_625_200_000],
  ['2026-01-05T17:30:00+02:30', 1_767_625_200_000],
  ['2026-01-05T17:30:00 02:30', 1_767_625_200_000],
  ['2026-01-05T12:00:00-0300', 1_767_625_200_000],
  ['2026-01-05 15:00', 1_767_625_200_000],
  ['2026-01-05T15:00:00,25z', 1_767_625_200_250],
  ['2026-01-05', 1_767_571_200_000],
  ['2024-02-29T00:00:00Z', 1_709_164_800_000],
])('%j parses to %i ms since 1970', (text, instant) => {
  expect(parseDateTime(text)).toBe(instant)
})

test.each(['', 'yesterday', '2026-13-01', '2026-02-29', '2026-01-05T25:00:00Z', '05/01/2026', '7'])(
  '%j is an invalid date-time',
  (text) => {
    expect(parseDateTime(text)).toBeUndefined()
    expect(DateTime.safeParse(text).success).toBe(false)
  },
)

test('round trip: an instant formatted by the session parses to the same instant', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 14 }), (instant) => {
      expect(parseDateTime(isoOf(instant))).toBe(instant)
    }),
  )
})
