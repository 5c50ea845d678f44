/** The concurrency of a campaign: it grows while nothing slows down, and gives way at once. */
import { describe, expect, test } from 'vitest'
import {
  type BatchLoad,
  type Concurrency,
  concurrencyAfter,
  nextConcurrency,
} from './concurrency.ts'

/** With one session at a time. */
const single = (width: number): Concurrency => ({
  width,
  maxWidth: 200,
  sessions: 1,
  maxSessions: 1,
})

/** The widths that full sessions lead to, as the load of each width is measured. */
function widths(batches: number, loadOf: (width: number) => Omit<BatchLoad, 'schedules'>) {
  const seen: number[] = []
  let state = single(4)
  for (let batch = 0; batch < batches; batch++) {
    seen.push(state.width)
    state = nextConcurrency(state, { schedules: state.width, ...loadOf(state.width) })
  }
  return seen
}

describe('one session at a time', () => {
  test('it doubles up to the largest width while the service answers as at first', () => {
    expect(widths(9, () => ({ answerMs: 12, lagMs: 3 }))).toEqual([
      4, 8, 16, 32, 64, 128, 200, 200, 200,
    ])
  })

  test('a service that only polls is never called: only our own lag counts', () => {
    expect(widths(4, () => ({ lagMs: 0 }))).toEqual([4, 8, 16, 32])
    expect(widths(4, () => ({ lagMs: 150 }))).toEqual([4, 4, 4, 4])
  })

  test('it halves when answers take twice as long as at first, and then comes closer step by step', () => {
    const seen = widths(30, (width) => ({ answerMs: width > 40 ? 400 : 30, lagMs: 1 }))
    expect(seen.slice(0, 6)).toEqual([4, 8, 16, 32, 64, 32])
    const later = seen.slice(8)
    expect(Math.max(...later)).toBeLessThanOrEqual(46)
    expect(Math.min(...later)).toBeGreaterThanOrEqual(20)
  })

  test('a quick service that takes 3 ms in place of 1 ms has not slowed down', () => {
    const loadOf = (width: number) => ({ answerMs: width > 4 ? 3 : 1, lagMs: 1 })
    expect(widths(4, loadOf)).toEqual([4, 8, 16, 32])
  })

  test('it halves when Sparring itself is late, and never ends at none', () => {
    expect(nextConcurrency(single(64), { schedules: 64, lagMs: 300 })).toMatchObject({ width: 32 })
    expect(nextConcurrency(single(1), { schedules: 1, lagMs: 900 })).toMatchObject({ width: 1 })
  })

  test('it grows only while every verdict is certain, and halves when many are not', () => {
    const full = { schedules: 64, lagMs: 1 }
    expect(nextConcurrency(single(64), { ...full, inconclusive: 1 })).toMatchObject({ width: 64 })
    expect(nextConcurrency(single(64), { ...full, inconclusive: 4 })).toMatchObject({ width: 32 })
    expect(nextConcurrency(single(64), { ...full, inconclusive: 0 })).toMatchObject({ width: 128 })
  })

  test('it gives way to a service that waits for a processor', () => {
    const full = { schedules: 64, lagMs: 1 }
    expect(nextConcurrency(single(64), { ...full, starved: 0.05 })).toMatchObject({ width: 128 })
    expect(nextConcurrency(single(64), { ...full, starved: 0.2 })).toMatchObject({ width: 64 })
    expect(nextConcurrency(single(64), { ...full, starved: 0.4 })).toMatchObject({ width: 32 })
  })

  test('a session that was not full does not make it wider; one that was late halves what really ran', () => {
    const before: Concurrency = { ...single(32), baselineMs: 10 }
    expect(nextConcurrency(before, { schedules: 3, answerMs: 11, lagMs: 1 })).toMatchObject({
      width: 32,
    })
    expect(nextConcurrency(before, { schedules: 20, answerMs: 11, lagMs: 500 })).toEqual({
      ...single(10),
      baselineMs: 10,
      tooWide: 20,
    })
  })
})

describe('several sessions at a time', () => {
  const wide: Concurrency = { width: 64, maxWidth: 200, sessions: 4, maxSessions: 8 }
  const full = { schedules: 64 }

  test('there are half as many before each is less wide', () => {
    const late = { ...full, lagMs: 300 }
    const steps = [nextConcurrency(wide, late)]
    for (let step = 0; step < 2; step++) steps.push(nextConcurrency(steps.at(-1) ?? wide, late))
    expect(steps.map(({ sessions, width }) => [sessions, width])).toEqual([
      [2, 64],
      [1, 64],
      [1, 32],
    ])
  })

  test('there are twice as many after a full session in which nothing slows down', () => {
    expect(nextConcurrency(wide, { ...full, lagMs: 1 })).toEqual({
      ...wide,
      width: 128,
      sessions: 8,
    })
    expect(nextConcurrency(wide, { schedules: 3, lagMs: 1 })).toEqual(wide)
    expect(nextConcurrency(wide, { ...full, lagMs: 150 })).toEqual(wide)
  })

  test('of sessions that ran beside each other the first decides how much more there may be', () => {
    const easy = { ...full, lagMs: 1 }
    const first = concurrencyAfter(wide, wide, easy)
    expect(first).toMatchObject({ width: 128, sessions: 8 })
    expect(concurrencyAfter(first, wide, easy)).toBe(first)
  })

  test('each of them may lower it, and they lower it once', () => {
    const late = { ...full, lagMs: 300 }
    const wider = concurrencyAfter(wide, wide, { ...full, lagMs: 1 })
    const lower = concurrencyAfter(wider, wide, late)
    expect(lower).toMatchObject({ width: 64, sessions: 2 })
    expect(concurrencyAfter(lower, wide, late)).toMatchObject({ width: 64, sessions: 2 })
    expect(concurrencyAfter(lower, lower, late)).toMatchObject({ width: 64, sessions: 1 })
  })
})
