import { expect, test } from 'vitest'
import { createRateMeter } from './rate.ts'

const start = 1_700_000_000_000

test('a minute of exchanges is counted by span, with its failures and its latency', () => {
  const meter = createRateMeter()
  for (let index = 0; index < 100; index++)
    meter.add(start + index * 100, index < 90 ? 10 : 400, index % 50 === 0)
  const rate = meter.at(start + 9999)
  expect(rate.counts.slice(-5)).toEqual([20, 20, 20, 20, 20])
  expect(rate.perSecond).toBeCloseTo(10, 1)
  expect(rate.failed).toBe(2)
  expect(rate.p95Ms).toBeGreaterThanOrEqual(400)
  expect(rate.p95Ms).toBeLessThan(440)
  // The latency of a span is its own.
  expect(rate.latencies.at(-5)).toBeLessThan(11)
  expect(rate.latencies.at(-1)).toBeGreaterThanOrEqual(400)
})

test('what is older than a minute is forgotten, and an exchange that ends late changes no newer span', () => {
  const meter = createRateMeter()
  meter.add(start, 5, true)
  expect(meter.at(start + 58_000).counts[0]).toBe(1)
  const later = meter.at(start + 60_000)
  expect([later.counts.every((count) => count === 0), later.failed, later.p95Ms]).toEqual([
    true,
    0,
    undefined,
  ])
  meter.add(start + 60_000, 5, false)
  meter.add(start, 5, true)
  expect(meter.at(start + 60_000)).toMatchObject({ failed: 0, counts: expect.any(Array) as [] })
  expect(meter.at(start + 60_000).counts.reduce((sum, count) => sum + count)).toBe(1)
})

test('a latency beyond every bin is one of the last', () => {
  const meter = createRateMeter()
  meter.add(start, 10_000_000, false)
  expect(meter.at(start).p95Ms).toBeGreaterThan(60_000)
})
