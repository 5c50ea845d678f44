import { expect, test } from 'vitest'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { acceptMovedTimes } from './moved-times.ts'
import { defaultRule } from './rule-book.ts'

const difference = (recorded: unknown, live: unknown, where = '/body/createdAt'): Difference => ({
  side: 'request',
  kind: 'value',
  where,
  recorded,
  live,
  rule: defaultRule,
  accepted: false,
})

/** The recording is an hour old. */
const shift = { shiftMs: 3_600_000 }

test('a time that is the recorded one as it was sent is no difference', () => {
  for (const each of [
    difference('2026-11-30T12:00:00.123Z', '2026-11-30T11:00:00.123Z'),
    difference(1_795_176_000, 1_795_172_400),
    difference('2026-11-30T12:00:00Z', '2026-11-30T11:00:00Z', '/body/items/0/soldAt/1'),
  ])
    expect(acceptMovedTimes([each], shift)).toMatchObject([{ accepted: true }])
})

test('any other time and any other value is one', () => {
  const others = [
    difference('2026-11-30T12:00:00.123Z', '2026-11-30T11:00:00.124Z'),
    difference('open', 'closed', '/body/status'),
    difference(3_600_000, 0, '/body/total'),
  ]
  expect(acceptMovedTimes(others, shift)).toEqual(others)
})
