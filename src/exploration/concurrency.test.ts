/** The width of a campaign: it grows while nothing slows down, and gives way at once. */
import { expect, test } from 'vitest'
import {
  type BatchLoad,
  type Concurrency,
  initialConcurrency,
  maxWidth,
  nextConcurrency,
} from './concurrency.ts'

/** The widths that full batches lead to, as the load of each width is measured. */
function widths(batches: number, loadOf: (width: number) => Omit<BatchLoad, 'schedules'>) {
  const seen: number[] = []
  let state: Concurrency = { width: 4 }
  for (let batch = 0; batch < batches; batch++) {
    seen.push(state.width)
    state = nextConcurrency(state, { schedules: state.width, ...loadOf(state.width) })
  }
  return seen
}

test('it begins with 16 schedules', () => {
  expect(initialConcurrency).toEqual({ width: 16 })
})

test('it doubles to at most 200 while the service answers as at first', () => {
  expect(widths(9, () => ({ answerMs: 12, lagMs: 3 }))).toEqual([
    4, 8, 16, 32, 64, 128, 200, 200, 200,
  ])
  expect(maxWidth).toBe(200)
})

test('a service that only polls is never called: only our own lag counts', () => {
  expect(widths(4, () => ({ lagMs: 0 }))).toEqual([4, 8, 16, 32])
  expect(widths(4, () => ({ lagMs: 120 }))).toEqual([4, 4, 4, 4])
})

test('it halves when answers take twice as long as at first, and then comes closer step by step', () => {
  const seen = widths(30, (width) => ({ answerMs: width > 40 ? 400 : 30, lagMs: 1 }))
  expect(seen.slice(0, 6)).toEqual([4, 8, 16, 32, 64, 32])
  const later = seen.slice(8)
  expect(Math.max(...later)).toBeLessThanOrEqual(46)
  expect(Math.min(...later)).toBeGreaterThanOrEqual(20)
})

test('a quick service that takes 3 ms in place of 1 ms has not slowed down', () => {
  expect(widths(4, (width) => ({ answerMs: width > 4 ? 3 : 1, lagMs: 1 }))).toEqual([4, 8, 16, 32])
})

test('it halves when Sparring itself is late, and never ends at none', () => {
  expect(nextConcurrency({ width: 64 }, { schedules: 64, lagMs: 300 })).toMatchObject({ width: 32 })
  expect(nextConcurrency({ width: 1 }, { schedules: 1, lagMs: 900 })).toMatchObject({ width: 1 })
})

test('a batch that was not full does not make it wider; one that was late halves what really ran', () => {
  const before: Concurrency = { width: 32, baselineMs: 10 }
  expect(nextConcurrency(before, { schedules: 3, answerMs: 11, lagMs: 1 })).toMatchObject({
    width: 32,
  })
  expect(nextConcurrency(before, { schedules: 20, answerMs: 11, lagMs: 500 })).toEqual({
    width: 10,
    baselineMs: 10,
    tooWide: 20,
  })
})
