/** What can be begun when, on a clock that the test moves. */
import { describe, expect, test } from 'vitest'
import { CampaignTime, type TimedWork } from './campaign-time.ts'

function timeOf(maxMs: number | undefined, judgingMs = 0) {
  let nowMs = 1000
  const deadlines: number[] = []
  const time = new CampaignTime({
    maxMs,
    now: () => nowMs,
    judgingMs: () => judgingMs,
    deadline(atMs) {
      deadlines.push(atMs)
      return new AbortController().signal
    },
  })
  return {
    time,
    deadlines,
    pass: (ms: number): void => void (nowMs += ms),
    lasts: (work: TimedWork, ms: number): Promise<void> =>
      time.measured(work, () => Promise.resolve(void (nowMs += ms))),
  }
}

test('without a limit everything can be begun at any time, and nothing ends', async () => {
  const { time, deadlines, lasts } = timeOf(undefined)
  await lasts('search', 1e9)
  for (const work of ['search', 'confirm', 'shrink'] as const)
    expect(time.canBegin(work)).toBe(true)
  time.searching()
  expect(deadlines).toEqual([])
})

test('what is without faults ends after a quarter, and everything at the limit', () => {
  expect(timeOf(60_000).deadlines).toEqual([15_000, 60_000])
})

describe('the search', () => {
  test('leaves two fifths for what it finds, before it is known how long a session takes', () => {
    const { time, deadlines, pass } = timeOf(60_000)
    time.searching()
    expect(deadlines.at(-1)).toBe(36_000)
    pass(35_999)
    expect([time.canBegin('search'), time.isSearchExtended()]).toEqual([true, false])
    pass(1)
    expect(time.isSearchExtended()).toBe(true)
  })

  test('leaves two sessions where they take less', async () => {
    const { time, deadlines, lasts } = timeOf(600_000)
    await lasts('search', 20_000)
    time.searching()
    expect(deadlines.at(-1)).toBe(560_000)
    await lasts('confirm', 30_000)
    time.searching()
    expect(deadlines.at(-1)).toBe(540_000)
  })

  test('goes on for a while when it has had its share, and then begins nothing more', async () => {
    const { time, deadlines, lasts, pass } = timeOf(60_000)
    await lasts('search', 36_000)
    expect(time.isSearchExtended()).toBe(true)
    time.searching()
    expect(deadlines.at(-1)).toBe(48_000)
    await lasts('search', 4000)
    // The next one has two sessions of four seconds less than the whole.
    expect([time.canBegin('search'), time.isSearchExtended()]).toEqual([true, false])
    pass(14_000)
    expect(time.canBegin('search')).toBe(false)
  })
})

test('a batch that cannot be judged to its end makes room soon after its faults', () => {
  const whole = timeOf(600_000, 130_000)
  whole.time.searchingWithFaults()
  expect(whole.deadlines.at(-1)).toBe(360_000)
  const short = timeOf(120_000, 130_000)
  short.time.searchingWithFaults()
  expect(short.deadlines.at(-1)).toBe(24_000)
  short.pass(60_000)
  short.time.searchingWithFaults()
  expect(short.deadlines.at(-1)).toBe(72_000)
})

test('what is found is played again while there is time for it; shrinking leaves time to keep it', async () => {
  const { time, lasts, pass } = timeOf(100_000)
  await lasts('confirm', 10_000)
  await lasts('shrink', 10_000)
  pass(49_999)
  expect(time.canBegin('shrink')).toBe(true)
  pass(1)
  expect([time.canBegin('shrink'), time.canBegin('confirm')]).toEqual([false, true])
  pass(20_000)
  expect(time.canBegin('confirm')).toBe(false)
})
