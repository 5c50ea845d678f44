import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockOf, isoOf } from './instant.ts'

/** The range of RFC 3339: years 0 to 9999. */
const instant = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 })

test('an instant is formatted like Date.toISOString, in any century', () => {
  fc.assert(
    fc.property(instant, (at) => {
      expect(isoOf(at)).toBe(new Date(at).toISOString())
    }),
    { numRuns: 2000 },
  )
})

test.each([
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2000-02-29T12:00:00.000Z',
  '1900-02-28T23:59:59.999Z',
  '2100-03-01T00:00:00.000Z',
  '2026-12-31T23:59:59.999Z',
])('the edges of the calendar hold: %s', (text) => {
  expect(isoOf(Date.parse(text))).toBe(text)
})

test('the time of day is correct, before 1970 too', () => {
  fc.assert(
    fc.property(instant, (at) => {
      expect(clockOf(at)).toBe(new Date(at).toISOString().slice(11, 23))
    }),
  )
})

test('a fraction of a millisecond is cut off', () => {
  expect(clockOf(20_480.547_119_140_625)).toBe('00:00:20.480')
})
