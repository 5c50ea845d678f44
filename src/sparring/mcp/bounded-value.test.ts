import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundValue } from './bounded-value.ts'

test('what fits stays as it is', () => {
  const value = { a: [1, 2, { b: null }], c: 'text' }
  expect(boundValue(value, 1000)).toEqual({ value, cuts: [] })
  expect(boundValue(undefined, 10)).toEqual({ value: undefined, cuts: [] })
})

test('long lists and texts are cut, and each place is named by its pointer', () => {
  const value = { runs: Array.from({ length: 400 }, (_, n) => ({ n })), 'a/b~': 'x'.repeat(9000) }
  const { value: cut, cuts } = boundValue(value, 4000)
  expect(cuts).toEqual([
    { path: '/runs', shown: 50, of: 400 },
    { path: '/a~1b~0', shown: 2000, of: 9000 },
  ])
  expect(cut).toMatchObject({ runs: value.runs.slice(0, 50) })
})

test('objects that are too wide for any limit are cut as text', () => {
  const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`member-${n}`, n]))
  const { value, cuts } = boundValue(wide, 1000)
  expect(value).toBe(`${JSON.stringify(wide).slice(0, 1000)}…`)
  expect(cuts).toEqual([{ path: '', shown: 1000, of: JSON.stringify(wide).length }])
})

test('the JSON of a value never has more than the limit, and says so where something is missing', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 200, max: 400 }), (value, max) => {
      const { value: cut, cuts } = boundValue(value, max)
      expect(typeof cut === 'string' || JSON.stringify(cut).length <= max).toBe(true)
      if (cuts.length === 0) expect(cut).toEqual(value)
    }),
  )
})
