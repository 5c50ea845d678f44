import { expect, test } from 'vitest'
import { parseSeek } from './palette.ts'

test.each([
  ['1812', { kind: 'seq', seq: 1812 }],
  [' #7 ', { kind: 'seq', seq: 7 }],
  ['+90s', { kind: 'after', ms: 90_000 }],
  ['+1.5m', { kind: 'after', ms: 90_000 }],
  ['12:03', { kind: 'clock', ms: 43_380_000 }],
  ['12:03:10.5', { kind: 'clock', ms: 43_390_500 }],
  ['2026-11-22T12:00:00Z', { kind: 'time', at: Date.UTC(2026, 10, 22, 12) }],
])('%s is a seek target', (text, to) => {
  expect(parseSeek(text)).toEqual({ ok: true, value: to })
})

test.each(['', 'x', '+', '25:00', '12:61', '2026-99-99T00:00:00Z', '-3'])(
  '%j is rejected',
  (text) => {
    expect(parseSeek(text)).toMatchObject({ ok: false })
  },
)
