import { expect, test } from 'vitest'
import { changeBody } from './change-body.ts'

const list = JSON.stringify([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
const ids = (text: string): readonly number[] =>
  (JSON.parse(text) as { id: number }[]).map(({ id }) => id)

test('a list is reversed, truncated, or repeated', () => {
  expect(ids(changeBody(list, { kind: 'reverse' }))).toEqual([4, 3, 2, 1])
  expect(ids(changeBody(list, { kind: 'first', most: 1 }))).toEqual([1])
  expect(ids(changeBody(list, { kind: 'first', most: 9 }))).toEqual([1, 2, 3, 4])
  expect(ids(changeBody(list, { kind: 'repeat', copies: 1 }))).toEqual([1, 2, 3, 4, 1, 2, 3, 4])
})

test('a shuffle depends on its draw alone, loses nothing, and differs between draws', () => {
  const orders = [1, 2, 3, 4, 5, 6].map((draw) => ids(changeBody(list, { kind: 'shuffle', draw })))
  for (const order of orders)
    expect(order.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4])
  expect(ids(changeBody(list, { kind: 'shuffle', draw: 3 }))).toEqual(orders[2])
  expect(new Set(orders.map(String)).size).toBeGreaterThan(2)
})

test('fields are added to an object or to each element of a list, without overwriting existing ones', () => {
  const change = { kind: 'add', fields: { x: 1, id: 'theirs' } } as const
  expect(JSON.parse(changeBody('{"id":"ours","deep":{"a":1}}', change))).toEqual({
    id: 'ours',
    deep: { a: 1 },
    x: 1,
  })
  expect(JSON.parse(changeBody('[{"id":1},7]', change))).toEqual([{ id: 1, x: 1 }, 7])
})

test('text that is not JSON, or not a list where required, stays unchanged; a text change replaces any body', () => {
  expect(changeBody('<html>', { kind: 'reverse' })).toBe('<html>')
  expect(changeBody('{"a": 1}', { kind: 'shuffle', draw: 1 })).toBe('{"a": 1}')
  expect(changeBody('7', { kind: 'add', fields: { x: 1 } })).toBe('7')
  expect(changeBody('', { kind: 'text', body: '{' })).toBe('{')
})
