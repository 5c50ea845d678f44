import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHttpDate, parseIsoInstant } from './date-time.ts'

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

test('the date of an HTTP header is parsed as Date parses it; in other spellings it is none', () => {
  for (let month = 0; month < 12; month++) {
    const date = new Date(Date.UTC(2024, month, 29, 4, 58, 44))
    expect(parseHttpDate(date.toUTCString())).toBe(date.getTime())
  }
  for (const text of ['', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun, 06 Foo 1994 08:49:37 GMT'])
    expect(parseHttpDate(text)).toBeUndefined()
})

test.each([
  ['2023-07-25T10:42:01.726810+00:00', Date.UTC(2023, 6, 25, 10, 42, 1) + 726.81],
  ['2024-02-29T23:59:59-03:00', Date.UTC(2024, 2, 1, 2, 59, 59)],
  ['2024-02-29 23:59:59', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['2026-11-22', Date.UTC(2026, 10, 22)],
  ['2026-11-22T10:00Z', Date.UTC(2026, 10, 22, 10)],
  // Seconds, a point, and milliseconds with a fraction of their own.
  ['2026-11-22T13:43:15.36.770263671875Z', Date.UTC(2026, 10, 22, 13, 43, 15) + 36.77],
])('%s is a time', (text, instant) => {
  expect(parseIsoInstant(text)).toBe(instant)
})

test.each(['', 'yesterday', '2026-13-01', '2026-01-32', '2026-01-01T25:00:00Z', '1700000000'])(
  '"%s" is not a time',
  (text) => {
    expect(parseIsoInstant(text)).toBeUndefined()
  },
)
