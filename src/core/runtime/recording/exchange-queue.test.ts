import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { createExchangeQueue } from './exchange-queue.ts'

test('the queue is FIFO at any fill level', () => {
  const queue = createExchangeQueue()
  let pushed = 0
  let taken = 0
  const push = (count: number) => {
    for (let each = 0; each < count; each++)
      expect(queue.push(sampleExchange(++pushed), pushed)).toBe(true)
  }
  const take = (count: number) => {
    for (let each = 0; each < count; each++) {
      expect(queue.oldestAt()).toBe(taken + 1)
      expect(queue.take()?.seq).toBe(++taken)
    }
  }
  push(1500)
  take(1200)
  push(900)
  take(1100)
  expect(queue.size()).toBe(100)
  take(100)
  expect(queue.take()).toBeUndefined()
  expect(queue.oldestAt()).toBe(Number.POSITIVE_INFINITY)
  expect(queue.bytes()).toBe(0)
  push(3)
  take(3)
  expect(queue.size()).toBe(0)
})

test('the queue is bounded, and is cleared at once', () => {
  const queue = createExchangeQueue()
  let taken = 0
  while (queue.push(sampleExchange(taken + 1), taken)) taken++
  expect(taken).toBe(20_000)
  expect(queue.clear()).toBe(20_000)
  expect([queue.size(), queue.bytes(), queue.take()]).toEqual([0, 0, undefined])
  expect(queue.push(sampleExchange(1), 1)).toBe(true)
  expect(queue.take()?.seq).toBe(1)
})

test('the bound counts the bytes of bodies', () => {
  const queue = createExchangeQueue()
  const long = sampleExchange(1, {
    reply: { status: 200, headers: [], body: 'x'.repeat(9 * 1024 * 1024) },
  })
  let taken = 0
  while (queue.push(long, taken)) taken++
  expect(taken).toBe(4)
})
