import { expect, test } from 'vitest'
import { ageText, dueText, lengthText, timeText } from '../view/text/time.ts'

test('how long a call took, in six cells', () => {
  const told = [0, 0.04, 7.31, 14, 999, 2049, 65_000, 12_000_000, 200_000_000].map(lengthText)
  expect(told).toEqual([
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
  expect(Math.max(...told.map((text) => text.length))).toBeLessThanOrEqual(6)
})

test('how long ago, in whole seconds, never before now', () => {
  expect([-5, 400, 42_000, 61_000].map(ageText)).toEqual(['0s', '0s', '42s', '1m01s'])
})

test('how soon', () => {
  expect([900, 1000, 1001, 1800, 3000, 66_000].map((due) => dueText(due, 1000))).toEqual([
    'now',
    'now',
    '+0.1s',
    '+0.8s',
    '+2.0s',
    '+1m05s',
  ])
})

test('the wall clock has fractions, the screen has none', () => {
  expect(timeText(43_201_104.75, true)).toBe('12:00:01.104')
  expect(timeText(43_201_104.75, false)).toBe('12:00:01')
})
