import { expect, test } from 'vitest'
import { createGenerationalCache } from './generational-cache.ts'

test('an entry is found again, and a used entry is not evicted', () => {
  const memory = createGenerationalCache<number>({ entries: 4, bytes: 1000 })
  memory.set('often', 1, 10)
  for (let index = 0; index < 50; index++) {
    memory.set(`once ${index}`, index, 10)
    expect(memory.get('often')).toBe(1)
  }
  expect(memory.get('once 3')).toBeUndefined()
  expect(memory.get('once 49')).toBe(49)
})

test('the cache never exceeds its bounds in entries and bytes', () => {
  const few = createGenerationalCache<string>({ entries: 10, bytes: 1_000_000 })
  const small = createGenerationalCache<string>({ entries: 1000, bytes: 1000 })
  for (let index = 0; index < 500; index++) {
    few.set(`key ${index}`, 'x', 1)
    small.set(`key ${index}`, 'x', 100)
  }
  expect(few.size()).toBeLessThanOrEqual(10)
  expect(small.size()).toBeLessThanOrEqual(10)
  expect(small.size()).toBeGreaterThan(0)
})

test('a value larger than a generation is not cached and evicts nothing', () => {
  const memory = createGenerationalCache<string>({ entries: 10, bytes: 100 })
  memory.set('small', 'x', 20)
  memory.set('huge', 'x', 60)
  expect(memory.get('huge')).toBeUndefined()
  expect(memory.get('small')).toBe('x')
})
