import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { createExchangeQueue } from './exchange-queue.ts'

test('what went in first comes out first, however full it was in between', () => {
  const queue = createExchangeQueue()
  let pushed = 0
  let taken = 0
  const push = (count: number) => {
    for (let each = 0; each < count; each++) expect(queue.push(sampleExchange(++pushed))).toBe(true)
  }
  const take = (count: number) => {
    for (let each = 0; each < count; each++) expect(queue.take()?.seq).toBe(++taken)
  }
  push(1500)
  take(1200)
  push(900)
  take(1100)
  expect(queue.size()).toBe(100)
  take(100)
  expect(queue.take()).toBeUndefined()
  expect(queue.bytes()).toBe(0)
  push(3)
  take(3)
  expect(queue.size()).toBe(0)
})

test('it takes so many and no more, and forgets all of them at once', () => {
  const queue = createExchangeQueue()
  let taken = 0
  while (queue.push(sampleExchange(taken + 1))) taken++
  expect(taken).toBe(20_000)
  expect(queue.forget()).toBe(20_000)
  expect([queue.size(), queue.bytes(), queue.take()]).toEqual([0, 0, undefined])
  expect(queue.push(sampleExchange(1))).toBe(true)
  expect(queue.take()?.seq).toBe(1)
})

test('long bodies fill it sooner', () => {
  const queue = createExchangeQueue()
  const long = sampleExchange(1, {
    reply: { status: 200, headers: [], body: 'x'.repeat(9 * 1024 * 1024) },
  })
  let taken = 0
  while (queue.push(long)) taken++
  expect(taken).toBe(4)
})
