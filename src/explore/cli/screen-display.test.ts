/** Work that waits for the gap between two batches. */
import { expect, test } from 'vitest'
import { createBatchGap } from './screen-display.ts'

test('work waits for the next gap, and what passes the gap waits for the work', async () => {
  const gap = createBatchGap()
  const log: string[] = []
  const mayEnd = Promise.withResolvers<void>()
  await gap.pass()
  expect(gap.waitedMs()).toBe(0)
  const used = gap.use(async () => {
    log.push('began')
    await mayEnd.promise
    log.push('ended')
  })
  expect(log).toEqual([])
  const passed = gap.pass().then(() => log.push('passed'))
  await Promise.resolve()
  expect(log).toEqual(['began'])
  mayEnd.resolve()
  await Promise.all([used, passed])
  expect(log).toEqual(['began', 'ended', 'passed'])
  expect(gap.waitedMs()).toBeGreaterThan(0)
})

test('at the end what waits begins, and nothing waits any more', async () => {
  const gap = createBatchGap()
  const log: string[] = []
  const waiting = gap.use(() => Promise.resolve(void log.push('first')))
  gap.end()
  await waiting
  await gap.use(() => Promise.resolve(void log.push('second')))
  expect(log).toEqual(['first', 'second'])
})

test('work that fails rejects for the caller, not to the campaign', async () => {
  const gap = createBatchGap()
  const failing = gap.use(() => Promise.reject(new Error('no')))
  const outcome = failing.catch((error: unknown) => String(error))
  await gap.pass()
  expect(await outcome).toBe('Error: no')
})
