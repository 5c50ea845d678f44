/** Slots for sessions that are open at the same time. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSessionSlots } from './explored-service.ts'

/** Takes slots by name, and tells who has had one so far. */
function takers(max: () => number, further = 0) {
  const slots = createSessionSlots(max, further)
  const admitted: string[] = []
  return {
    admitted,
    take: async (name: string, isFirst?: boolean): Promise<Disposable> => {
      const slot = await slots.take(isFirst)
      admitted.push(name)
      return slot
    },
  }
}

test('who finds none free waits until another leaves, first come, first served', async () => {
  const { admitted, take } = takers(() => 2)
  const first = await take('a')
  const others = ['b', 'c', 'd'].map((name) => take(name))
  await setImmediate()
  expect(admitted).toEqual(['a', 'b'])
  first[Symbol.dispose]()
  await setImmediate()
  expect(admitted).toEqual(['a', 'b', 'c'])
  for (const other of others.slice(0, 2)) (await other)[Symbol.dispose]()
  await Promise.all(others)
  expect(admitted).toEqual(['a', 'b', 'c', 'd'])
})

test('there may be fewer or more of them later; one there is always', async () => {
  let max = 0
  const { admitted, take } = takers(() => max)
  const first = await take('a')
  const others = ['b', 'c'].map((name) => take(name))
  await setImmediate()
  expect(admitted).toEqual(['a'])
  max = 2
  first[Symbol.dispose]()
  await Promise.all(others)
  expect(admitted).toEqual(['a', 'b', 'c'])
})

test('what goes first has slots of its own, where there are such, and is before who waits', async () => {
  const several = takers(() => 2, 3)
  for (const name of ['a', 'b', 'c']) void several.take(name)
  for (const name of ['w', 'x', 'y', 'z']) void several.take(name, true)
  await setImmediate()
  expect(several.admitted).toEqual(['a', 'b', 'w', 'x', 'y'])
  const one = takers(() => 1)
  const first = await one.take('a')
  void one.take('b')
  void one.take('w', true)
  await setImmediate()
  expect(one.admitted).toEqual(['a'])
  first[Symbol.dispose]()
  await setImmediate()
  expect(one.admitted).toEqual(['a', 'w'])
})
