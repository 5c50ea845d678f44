/** Times are shifted as a block, in their original spelling. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isoOf } from '../../engine/instant.ts'
import { shiftTimeText, shiftTimes } from './shift-times.ts'

const hour = 3_600_000
const day = 24 * hour

describe('the spelling of a shifted time stays', () => {
  test.each([
    ['2026-01-05T15:00:00.000Z', '2026-01-05T16:00:00.000Z'],
    ['2026-01-05T15:00:00Z', '2026-01-05T16:00:00Z'],
    ['2026-01-05T15:00Z', '2026-01-05T16:00Z'],
    ['2026-01-05T23:30:00-03:00', '2026-01-06T00:30:00-03:00'],
    ['2026-01-05T23:30:00.5+0530', '2026-01-06T00:30:00.5+0530'],
    ['2026-01-05 23:30:00.123456', '2026-01-06 00:30:00.123456'],
    ['2026-12-31t23:30:00,25z', '2027-01-01t00:30:00,25z'],
    ['2026-01-05T23:30:00-03', '2026-01-06T00:30:00-03'],
    ['2026/01/05 23:30:00', '2026/01/06 00:30:00'],
    ['31/12/2026 23:30', '01/01/2027 00:30'],
    ['31/12/2026, 23:30:15', '01/01/2027, 00:30:15'],
    ['31.12.2026T23:30:15.250Z', '01.01.2027T00:30:15.250Z'],
    ['20261231T233000Z', '20270101T003000Z'],
    ['20261231T233000.1234-0300', '20270101T003000.1234-0300'],
    ['20261231233000', '20270101003000'],
    ['Thu, 31 Dec 2026 23:30:00 -0300', 'Fri, 01 Jan 2027 00:30:00 -0300'],
    ['31 Dec 2026 23:30', '01 Jan 2027 00:30'],
    ['/Date(1767625200000-0300)/', '/Date(1767628800000-0300)/'],
    ['1767625200.25', '1767628800.25'],
    ['1767625200000', '1767628800000'],
    ['1767625200000123', '1767628800000123'],
    ['1767625200000123456', '1767628800000123456'],
  ])('%s an hour later is %s', (text, later) => {
    expect(shiftTimeText('createdAt', text, { shiftMs: hour })).toBe(later)
  })

  test('an HTTP date with day and month names is shifted', () => {
    expect(shiftTimeText('expires', 'Wed, 31 Dec 2025 23:30:00 GMT', { shiftMs: hour })).toBe(
      'Thu, 01 Jan 2026 00:30:00 GMT',
    )
  })
})

describe('a value that is not a time stays', () => {
  test.each([
    ['birthDate', '1994-10-14'],
    ['total', '1767625200'],
    ['price', '1767625200000'],
    ['note', 'opens 2026-01-05T15:00:00Z'],
    ['at', '2026-13-05T15:00:00Z'],
    ['at', '2026-06-30T23:59:60Z'],
    ['phone', '5511999990000'],
    ['to', '1133334444'],
    ['seat', '1767625200'],
    ['total', '20260105'],
    ['createdAt', '20261305'],
    ['createdAt', '12/31/2026'],
    ['createdAt', '2026-01/05'],
    ['version', '2026.01.05'],
    ['document', '4111111111111111'],
    ['dataNascimento', '14/10/1994'],
    ['at', '2026-01-05T24:00:00Z'],
    ['id', '12345678901'],
  ])('%s: %s', (key, text) => {
    expect(shiftTimeText(key, text, { shiftMs: day })).toBeUndefined()
  })
})

test('a date shifts by whole days, any other time by its last digit, never further than it should', () => {
  const moved = (key: string, text: string, shiftMs: number) =>
    shiftTimeText(key, text, { shiftMs })
  expect(moved('deliveryDate', '2026-02-27', 2 * day + hour)).toBe('2026-03-01')
  expect(moved('deliveryDate', '2026-02-27', hour)).toBe('2026-02-27')
  expect(moved('deliveryDate', '2026-02-27', 23 * hour)).toBe('2026-02-27')
  expect(moved('at', '2026-02-27T12:00Z', 59_999)).toBe('2026-02-27T12:00Z')
  expect(moved('at', '2026-02-27T12:00:00Z', -1)).toBe('2026-02-27T11:59:59Z')
  expect(moved('expiresAt', '1767625200', 1500)).toBe('1767625201')
  expect(moved('timestamp', '1767625200000', 1500)).toBe('1767625201500')
})

describe('a date keeps its distance in days from the day of its message', () => {
  const at = (text: string) => Date.parse(text)
  const spelt = ['2026-11-29', '2026/11/29', '29/11/2026', '20261129']
  test.each([
    // Played at another hour: earlier on a later day, later on one, and across midnight within an hour.
    [
      '2026-11-28T15:00:00Z',
      '2026-12-05T09:00:00Z',
      ['2026-12-06', '2026/12/06', '06/12/2026', '20261206'],
    ],
    [
      '2026-11-29T15:00:00Z',
      '2026-12-05T09:00:00Z',
      ['2026-12-05', '2026/12/05', '05/12/2026', '20261205'],
    ],
    [
      '2026-11-29T09:00:00Z',
      '2026-12-05T23:59:59Z',
      ['2026-12-05', '2026/12/05', '05/12/2026', '20261205'],
    ],
    [
      '2026-11-29T23:30:00Z',
      '2026-11-30T00:10:00Z',
      ['2026-11-30', '2026/11/30', '30/11/2026', '20261130'],
    ],
    [
      '2026-11-29T00:10:00Z',
      '2026-11-28T23:50:00Z',
      ['2026-11-28', '2026/11/28', '28/11/2026', '20261128'],
    ],
    ['2026-11-29T00:10:00Z', '2026-11-29T23:50:00Z', spelt],
  ])('recorded at %s and played at %s', (recorded, played, moved) => {
    const shift = { shiftMs: at(played) - at(recorded), from: at(recorded) }
    const there = spelt.map((text) => shiftTimeText('orderDate', text, shift))
    expect(there).toEqual(moved)
    const back = there.map((text = '') =>
      shiftTimeText('orderDate', text, { ...shift, isBack: true }),
    )
    expect(back).toEqual(spelt)
  })
})

test('a time in seconds stays before one in milliseconds that it preceded, and neither is in the future', () => {
  const instants = fc.integer({ min: 1_000_000_000_000, max: 3_000_000_000_000 })
  const spellings = [(iso: string) => iso, (iso: string) => `${iso.slice(0, 19)}Z`]
  fc.assert(
    fc.property(
      instants,
      fc.nat(100_000),
      fc.integer({ min: -day, max: 400 * day }),
      fc.constantFrom(...spellings),
      (created, laterMs, shiftMs, spelt) => {
        const order = spelt(isoOf(created))
        const event = isoOf(created + laterMs)
        const [first = '', second = ''] = [order, event].map(
          (text) => shiftTimeText('createdAt', text, { shiftMs }) ?? text,
        )
        expect(Date.parse(first)).toBeLessThanOrEqual(Date.parse(second))
        expect(Date.parse(second)).toBe(created + laterMs + shiftMs)
      },
    ),
    { numRuns: 300 },
  )
})

test('everything else in a document keeps its spelling', () => {
  const text =
    '{ "at":"2026-01-05T15:00:00Z", "exp" : 1767625200,\n "n":1.0,"list":["2026-01-05"] }'
  expect(shiftTimes(text, { shiftMs: day })).toBe(
    '{ "at":"2026-01-06T15:00:00Z", "exp" : 1767711600,\n "n":1.0,"list":["2026-01-06"] }',
  )
  expect(shiftTimes('no JSON 2026-01-05T15:00:00Z', { shiftMs: day })).toBe(
    'no JSON 2026-01-05T15:00:00Z',
  )
})

const spellings = fc
  .record({
    at: fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 }),
    digits: fc.constantFrom(-1, 0, 1, 2, 3, 6, 9),
    offset: fc.constantFrom('Z', 'z', '+00:00', '-03:00', '+0530', ''),
    between: fc.constantFrom('T', 't', ' '),
  })
  .map(({ at, digits, offset, between }) => {
    const iso = isoOf(at)
    const fraction = digits > 0 ? `.${`${iso.slice(20, 23)}456789`.slice(0, digits)}` : ''
    const clock = digits < 0 ? iso.slice(11, 16) : iso.slice(11, 19)
    return iso.slice(0, 10) + between + clock + fraction + offset
  })

test('a shift and its reverse restore the text', () => {
  const shifts = fc.integer({ min: -5 * 365 * day, max: 5 * 365 * day })
  fc.assert(
    fc.property(spellings, shifts, (text, shiftMs) => {
      const there = shiftTimeText('at', text, { shiftMs }) ?? text
      expect(there).toHaveLength(text.length)
      expect(shiftTimeText('at', there, { shiftMs, isBack: true }) ?? there).toBe(text)
    }),
    { numRuns: 300 },
  )
})

test('deadlines keep their distance to other times', () => {
  const instants = fc.integer({ min: 1_000_000_000_000, max: 3_000_000_000_000 })
  fc.assert(
    fc.property(instants, instants, fc.integer(), (from, to, shiftMs) => {
      const text = JSON.stringify({ from: isoOf(from), to: isoOf(to) })
      const moved = JSON.parse(shiftTimes(text, { shiftMs })) as { from: string; to: string }
      expect(moved).toEqual({ from: isoOf(from + shiftMs), to: isoOf(to + shiftMs) })
    }),
  )
})
