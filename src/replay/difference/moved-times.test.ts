import { expect, test } from 'vitest'
import { sampleT0 } from '../../../test/support/sample-exchange.ts'
import type { Difference } from '../../core/traffic/recording/difference.ts'
import { acceptMovedTimes, ReplayTimeline } from './moved-times.ts'
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

test('where a pause is shortened, what was before it is as far away as what was sent then', () => {
  const timeline = new ReplayTimeline()
  const at = (minute: number): string => new Date(sampleT0 + minute * 60_000).toISOString()
  const opened = (recorded: number, live: number): Difference => ({
    ...difference(at(recorded), at(live), '/body/openedAt'),
    rule: { ...defaultRule, compare: { as: 'time', within: 60_000 } },
  })
  // Ten minutes of the second pause are left out.
  for (const [minute, distance] of [
    [0, 60],
    [5, 60],
    [20, 50],
  ] as const)
    timeline.add(sampleT0 + minute * 60_000, distance * 60_000)
  // It is read after the pause, so that it was moved back by 50 minutes.
  const now = { shiftMs: 50 * 60_000 }
  const isAccepted = (each: Difference) => acceptMovedTimes([each], now, timeline)[0]?.accepted
  expect(isAccepted(opened(2, 12))).toBe(true)
  expect(isAccepted(opened(2, 9))).toBe(false)
  // What happened in the pause itself may be anywhere in what is left of it.
  expect(isAccepted(opened(10, 15))).toBe(true)
  expect(isAccepted(opened(21, 31))).toBe(false)
})
