import { expect, test } from 'vitest'
import { createRateLimit, createIdempotencyStore } from './idempotency.ts'

test('a repeated request gets the stored reply until that expires', () => {
  const memory = createIdempotencyStore<string>(({ length }) => length)
  expect(memory.recall('id', '{}', 0)).toBeUndefined()
  memory.remember('id', '{}', 'first', 1000)
  expect(memory.recall('id', '{}', 999)).toBe('first')
  expect(memory.recall('id', '{"other":1}', 999)).toBe('conflict')
  expect(memory.recall('id', '{}', 1000)).toBeUndefined()
  expect(memory.recall('id', '{"other":1}', 1001)).toBeUndefined()
})

test('the store is bounded: the oldest request is evicted first', () => {
  const memory = createIdempotencyStore<number>(() => 1)
  for (let index = 0; index <= 10_000; index++) memory.remember(`${index}`, '', index, 1)
  expect(memory.recall('0', '', 0)).toBeUndefined()
  expect(memory.recall('1', '', 0)).toBe(1)
  expect(memory.recall('10000', '', 0)).toBe(10_000)
})

test('requests are counted per client in a window that begins with its first one', () => {
  const rate = createRateLimit(2)
  expect(rate('a', 0)?.remaining).toBe(1)
  expect(rate('a', 30_000)?.remaining).toBe(0)
  expect(rate('a', 59_999)).toEqual({ limit: 2, remaining: -1, resetMs: 1 })
  expect(rate('b', 59_999)?.remaining).toBe(1)
  expect(rate('a', 60_000)?.remaining).toBe(1)
})

test('without a limit no allowance is returned', () => {
  expect(createRateLimit(0)('a', 0)).toBeUndefined()
})
