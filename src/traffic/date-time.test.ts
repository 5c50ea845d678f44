import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseIsoInstant } from './date-time.ts'

test('every time that Date writes is parsed as Date parses it', () => {
  const instants = fc.date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2199-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(instants, (date) => {
      expect(parseIsoInstant(date.toISOString())).toBe(date.getTime())
    }),
  )
})

test.each([
  ['2023-07-25T10:42:01.726810+00:00', Date.UTC(2023, 6, 25, 10, 42, 1) + 726.81],
  ['2024-02-29T23:59:59-03:00', Date.UTC(2024, 2, 1, 2, 59, 59)],
  ['2024-02-29 23:59:59', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['2026-11-22', Date.UTC(2026, 10, 22)],
  ['2026-11-22T10:00Z', Date.UTC(2026, 10, 22, 10)],
])('%s is a time', (text, instant) => {
  expect(parseIsoInstant(text)).toBe(instant)
})

test.each(['', 'yesterday', '2026-13-01', '2026-01-32', '2026-01-01T25:00:00Z', '1700000000'])(
  '"%s" is not a time',
  (text) => {
    expect(parseIsoInstant(text)).toBeUndefined()
  },
)
