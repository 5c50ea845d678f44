import { expect, test } from 'vitest'
import { compact } from './compact.ts'

test('undefined members are left out, all others stay in their order, falsy ones too', () => {
  const value = compact({ b: 0, gone: undefined, a: '', none: null, no: false })
  expect(Object.entries(value)).toEqual([
    ['b', 0],
    ['a', ''],
    ['none', null],
    ['no', false],
  ])
  expect('gone' in value).toBe(false)
})

test('the input is left as it is', () => {
  const value = { a: 1, b: undefined }
  expect(compact(value)).toEqual({ a: 1 })
  expect(Object.keys(value)).toEqual(['a', 'b'])
})
