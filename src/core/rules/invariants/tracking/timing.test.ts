/** What a measured time says about a limit, by the lag in that time. */
import { expect, test } from 'vitest'
import { createLagRecord, type Lag } from './lag-record.ts'
import type { Moment } from './service-clock.ts'
import { allOf, LaggedTimings } from './timing.ts'

function recordOf(...lags: readonly Lag[]) {
  const record = createLagRecord(() => 250)
  for (const lag of lags) record.add(lag)
  return record
}

const moment = (at: number, wall = at): Moment => ({ at, wall })

const block = (from: number, ms: number): Lag => ({ from, to: from + ms, ms })

test('a limit that is kept is fine, whatever the lag', () => {
  const lag = recordOf(block(0, 4000))
  expect(new LaggedTimings(lag).atMost(0, 5000, 5000)).toEqual({ outcome: 'fine' })
  expect(new LaggedTimings(lag).atLeast(moment(0), moment(500), 500)).toEqual({ outcome: 'fine' })
})

test('a webhook that takes 400 ms too long is in doubt from 200 ms of lag on: ours, and as much of the service', () => {
  const outcome = (ms: number) => new LaggedTimings(recordOf(block(1000, ms))).atMost(0, 5400, 5000)
  expect(outcome(199)).toEqual({ outcome: 'failed' })
  expect(outcome(200)).toEqual({ outcome: 'inconclusive', lagMs: 200 })
  expect(new LaggedTimings(recordOf()).atMost(0, 5400, 5000)).toEqual({ outcome: 'failed' })
})

test('two polls that seem too close are in doubt when the first may have waited for us', () => {
  // Both were sent 500 ms apart; the first one waited in the socket for the end of a block.
  const lag = recordOf(block(0, 400))
  expect(new LaggedTimings(lag).atLeast(moment(400), moment(500), 500)).toEqual({
    outcome: 'inconclusive',
    lagMs: 400,
  })
  // A block that was over for long did not make it wait, nor did one that came after both.
  expect(new LaggedTimings(lag).atLeast(moment(900), moment(1000), 500)).toEqual({
    outcome: 'failed',
  })
  expect(
    new LaggedTimings(recordOf(block(600, 400))).atLeast(moment(400), moment(500), 500),
  ).toEqual({
    outcome: 'failed',
  })
})

test('of two things no further apart than the lag nobody knows which came first', () => {
  const lag = recordOf(block(0, 100))
  expect(new LaggedTimings(lag).inOrder(100, 100).outcome).toBe('inconclusive')
  expect(new LaggedTimings(lag).inOrder(100, 300).outcome).toBe('inconclusive')
  expect(new LaggedTimings(lag).inOrder(100, 301).outcome).toBe('failed')
})

test('one doubt puts the whole in doubt, and one part that is fine makes it fine', () => {
  const [fine, failed] = [{ outcome: 'fine' }, { outcome: 'failed' }] as const
  const doubt = { outcome: 'inconclusive', lagMs: 7 } as const
  expect(allOf(failed, doubt, failed)).toEqual(doubt)
  expect(allOf(doubt, fine)).toEqual(fine)
  expect(allOf(failed, failed)).toEqual(failed)
})

test('lags that overlap count once: a late item of the agenda and a late timer are one delay', () => {
  const lag = recordOf(block(0, 100), { from: 50, to: 150, ms: 100 }, block(300, 10))
  expect(lag.between(0, 1000)).toBe(160)
  expect(lag.between(0, 120)).toBe(120)
  // An item that was due long before swallows what was measured since.
  lag.add({ from: 20, to: 400, ms: 380 })
  expect(lag.between(0, 1000)).toBe(400)
})

test('the backlog of a long lag is served for as long as that lasted', () => {
  const lag = recordOf(block(0, 100), block(1000, 2000))
  expect(lag.between(300, 310)).toBe(100)
  expect(lag.between(400, 410)).toBe(0)
  expect(lag.between(4900, 5000)).toBe(2000)
  expect(lag.between(5100, 5200)).toBe(0)
})

test('a day of lags is kept in bounded memory, and none is forgotten', () => {
  const lag = createLagRecord(() => 250)
  const times = 100_000
  for (let at = 0; at < times; at++) lag.add(block(at * 1000, 50))
  expect(lag.between(0, times * 1000)).toBe(times * 50)
  // The last ones are still told apart.
  expect(lag.between((times - 2) * 1000, times * 1000)).toBe(100)
})

test.each<[about: string, isPassed: boolean, own: { ownMs?: number; pace?: number; lag?: Lag }]>([
  ['by the clock of the session', true, {}],
  ['by the wall at its speed', true, { ownMs: 10_000 }],
  ['by the wall at speed 5: a fifth', true, { ownMs: 10_000, pace: 5 }],
  ['by the wall at speed 60: 167 ms', false, { ownMs: 10_000, pace: 60 }],
  ['by the wall while the clock jumped', false, { ownMs: 300 }],
  ['while we were late', false, { lag: block(2000, 10) }],
])('a service had ten seconds %s', (_, isPassed, { ownMs = Infinity, pace = 1, lag }) => {
  const timings = new LaggedTimings(recordOf(...(lag ? [lag] : [])), {
    between: () => ownMs,
    atLeast: () => ownMs,
    pace: () => pace,
  })
  expect(timings.hasPassed(0, 10_000, 10_000)).toBe(isPassed)
  expect(timings.hasPassed(0, 9999, 10_000)).toBe(false)
})
