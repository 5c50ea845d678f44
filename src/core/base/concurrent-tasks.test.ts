/** Tasks that run at the same time. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTaskPool, mapConcurrently } from './concurrent-tasks.ts'

/** Tasks that end on request, and the events in their order. */
function heldTasks() {
  const events: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  return {
    events,
    end: async (name: string, error?: Error): Promise<void> => {
      if (error) ends.get(name)?.reject(error)
      else ends.get(name)?.resolve()
      await setImmediate()
    },
    task: async (name: string): Promise<string> => {
      events.push(`${name} begins`)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      await end.promise
      events.push(`${name} ends`)
      return name.toUpperCase()
    },
  }
}

describe('a list that is mapped by tasks', () => {
  test('has so many of them under way, and its results in the order of the list', async () => {
    const { events, end, task } = heldTasks()
    const results = mapConcurrently(['a', 'b', 'c'], 2, task)
    expect(events).toEqual(['a begins', 'b begins'])
    await end('b')
    await end('c')
    await end('a')
    expect(await results).toEqual(['A', 'B', 'C'])
    expect(events.slice(2)).toEqual(['b ends', 'c begins', 'c ends', 'a ends'])
  })

  test('has one after the other where only one may be under way', async () => {
    const { events, end, task } = heldTasks()
    const results = mapConcurrently(['a', 'b'], 1, task)
    await end('a')
    await end('b')
    expect(await results).toEqual(['A', 'B'])
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  test('may be empty', async () => {
    expect(await mapConcurrently([], 4, () => Promise.reject(new Error('never')))).toEqual([])
  })

  test('begins no more after an error, which is thrown when the others have ended', async () => {
    const { events, end, task } = heldTasks()
    const outcome = mapConcurrently(['a', 'b', 'c'], 2, task).catch((error: unknown) => {
      events.push(String(error))
    })
    await end('a', new Error('the first'))
    expect(events).toEqual(['a begins', 'b begins'])
    await end('b')
    await outcome
    expect(events.slice(2)).toEqual(['b ends', 'Error: the first'])
  })
})

test('a pool resolves when a task of it ends, and throws the first error in the end', async () => {
  const pool = createTaskPool()
  const { end, task } = heldTasks()
  for (const name of ['a', 'b', 'c']) pool.start(async () => void (await task(name)))
  expect(pool.size()).toBe(3)
  const next = pool.nextEnd()
  await end('b', new Error('the first'))
  await next
  expect(pool.size()).toBe(2)
  expect(pool.hasFailed()).toBe(true)
  await end('a', new Error('the second'))
  await end('c')
  await expect(pool.allEnded()).rejects.toThrow('the first')
  expect(pool.size()).toBe(0)
})
