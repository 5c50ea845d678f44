/** Time axes of recordings that do not state the clock of their session: proxied, imported, of older versions. */
import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../test/support/sample-exchange.ts'
import { createTimeAxis, roundDelay } from './time-axis.ts'

/** Events handed over once a second, with their ages in ms by the clock that dates them. */
function axisOf(ages: readonly number[]) {
  const exchanges = ages.map((_, index) => ({
    ...sampleExchange(index + 1, { startedAt: sampleT0 + index * 1000, tookMs: 5 }),
    recordId: `r${index}`,
  }))
  const stamps = ages.map((age, index) => ({
    seq: index + 1,
    createdAt: sampleT0 + index * 1000 + 5 - age,
  }))
  const axis = createTimeAxis({ exchanges, stamps, isSessionClock: false })
  const last = ages.length - 1
  return { axis, madeLast: axis.made(stamps[last]!.createdAt, exchanges[last]!) }
}

const seconds = 60
const agesOf = (age: (second: number) => number): readonly number[] =>
  Array.from({ length: seconds }, (_, second) => age(second))

test('one clock, or another that is set differently: the offset is taken off', () => {
  const same = axisOf(agesOf(() => 20))
  expect(same.axis.hasExchangeTimes).toBe(true)
  expect(same.madeLast).toBe((seconds - 1) * 1000 + 5 - 20)
  const ahead = axisOf(agesOf(() => -30_000))
  expect(ahead.axis.hasExchangeTimes).toBe(true)
  expect(ahead.madeLast).toBe((seconds - 1) * 1000 + 5)
})

test('events that came late at first, and then at once, are on one clock', () => {
  expect(axisOf(agesOf((second) => Math.max(0, 30_000 - second * 1000))).axis).toMatchObject({
    hasExchangeTimes: true,
  })
})

test.each([1.5, 2, 4, 20])(
  'a session of an older version at speed %d: only events have times',
  (speed) => {
    const { axis } = axisOf(agesOf((second) => 20 - second * 1000 * (speed - 1)))
    expect(axis.hasExchangeTimes).toBe(false)
  },
)

test.each([
  [2996, 10, 3000],
  [2920, 200, 3000],
  [3000, 10, 3000],
  [1518, 10, 1520],
  [4600, 10, 4600],
  [119_995, 10, 120_000],
  [105, 200, 100],
  [12, 10, 10],
  [3, 10, 3],
  [0, 10, 0],
])('%d ms, known to %d ms, is %d ms', (ms, resolutionMs, rounded) => {
  expect(roundDelay(ms, resolutionMs)).toBe(rounded)
})
