import { expect, test } from 'vitest'
import { HeldResources } from './held-resources.ts'

test('what is held is released in the reverse order, once, by who holds it in the end', async () => {
  const released: string[] = []
  const held = new HeldResources()
  held.use({ [Symbol.dispose]: () => void released.push('port') })
  held.use({ [Symbol.asyncDispose]: async () => void released.push('session') })
  held.defer(() => released.push('process'))
  const moved = held.move()
  await held[Symbol.asyncDispose]()
  expect(released).toEqual([])
  await moved[Symbol.asyncDispose]()
  await moved[Symbol.asyncDispose]()
  expect(released).toEqual(['process', 'session', 'port'])
})

test('one that cannot be released keeps no other; the first error is thrown', async () => {
  const released: string[] = []
  const held = new HeldResources()
  held.defer(() => released.push('port'))
  held.defer(() => Promise.reject(new Error('later')))
  held.defer(() => {
    throw new Error('first')
  })
  await expect(held[Symbol.asyncDispose]()).rejects.toThrow('first')
  expect(released).toEqual(['port'])
})
