import { expect, test } from 'vitest'
import { operations } from '../protocol/catalogue.ts'
import { handlerNames, handlerOf } from './handlers.ts'

test('each operation of the catalogue has a handler of the kind that its row says', () => {
  for (const { handler: behind } of operations)
    expect(handlerOf(behind.name).kind).toBe(behind.kind)
})

test('each handler is the handler of an operation', () => {
  const wanted = new Set<string>(operations.map(({ handler: behind }) => behind.name))
  expect(handlerNames.filter((name) => !wanted.has(name))).toEqual([])
})
