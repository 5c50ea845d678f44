import { expect, test } from 'vitest'
import { ageText, dueText, shortDurationText, timeText } from './time.ts'

test('durations take at most six cells', () => {
  const texts = [0, 0.04, 7.31, 14, 999, 2049, 65_000, 12_000_000, 200_000_000].map(
    shortDurationText,
  )
  expect(texts).toEqual([
    '0.0ms',
    '0.1ms',
    '7.4ms',
    '14ms',
    '999ms',
    '2.0s',
    '1m05s',
    '3h20m',
    '2d7h',
  ])
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(6)
})

test('ages are whole seconds, and never negative', () => {
  expect([-5, 400, 42_000, 61_000].map(ageText)).toEqual(['0s', '0s', '42s', '1m01s'])
})

test('due times are relative to now', () => {
  expect([900, 1000, 1001, 1800, 3000, 66_000].map((due) => dueText(due, 1000))).toEqual([
    'now',
    'now',
    '+0.1s',
    '+0.8s',
    '+2.0s',
    '+1m05s',
  ])
})

test('fractions of a millisecond are cut off', () => {
  expect(timeText(43_201_104.75, true)).toBe('12:00:01.104')
  expect(timeText(43_201_104.75, false)).toBe('12:00:01')
})
