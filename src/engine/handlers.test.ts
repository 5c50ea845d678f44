import { expect, test } from 'vitest'
import { operations } from '../protocol/catalogue.ts'
import { handlerOf } from './handlers.ts'

test('behind every operation of the catalogue stands a handler of the row’s own kind', () => {
  for (const { behind } of operations) expect(handlerOf(behind.name).kind).toBe(behind.kind)
})

test('a name that nothing stands behind is a bug', () => {
  expect(() => handlerOf('order.create')).toThrow(/nothing stands behind order.create/)
})
