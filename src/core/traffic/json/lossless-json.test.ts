/** Numbers that a double holds and those that it does not, and JSON that is nested deeper than functions can go. */
import { expect, test } from 'vitest'
import { isSameJson } from '../recording/json.ts'
import {
  indentedJson,
  isHeldByDouble,
  mayLoseDigits,
  parseExactJson,
  roundedNumberIn,
} from './lossless-json.ts'
import { tryParseJson } from './try-parse-json.ts'

test.each([
  '0',
  '-0',
  '1.50',
  '12.340000000000000',
  '29.899999999999998579',
  '9007199254740992',
  '4634343214213523000',
  '1e21',
  '1000000000000000000000',
  '1e+5',
])('a double holds %s', (source) => {
  expect(isHeldByDouble(source)).toBe(true)
})

test.each([
  '9007199254740993',
  '4634343214213523454',
  '4634343214213523456',
  '0.10000000000000000001',
  '29.89999999999999800',
  '100000000000000000000001',
  '1e400',
])('a double holds %s not', (source) => {
  expect(isHeldByDouble(source)).toBe(false)
})

test('equal decimal numbers are the same JSON however they are spelled, and rounded ones are not', () => {
  const isSame = (one: string, other: string): boolean =>
    isSameJson(parseExactJson(one)?.value, parseExactJson(other)?.value)
  expect(isSame('[9007199254740993]', '[9007199254740993.0]')).toBe(true)
  expect(isSame('[9007199254740993]', '[9007199254740992]')).toBe(false)
  expect(isSame('{"n":0.10000000000000000001}', '{"n":1.0000000000000000001e-1}')).toBe(true)
  expect(isSame('{"n":0.10000000000000000001}', '{"n":0.1}')).toBe(false)
  expect(isSame('{"n":1.50}', '{"n":1.5}')).toBe(true)
})

test('the first number that would be rounded is named, and a text of digits is none', () => {
  expect(roundedNumberIn('{"a":1.5,"b":[9007199254740993,1e400]}')).toBe('9007199254740993')
  expect(roundedNumberIn('{"a":"9007199254740993","b":1234567890123456}')).toBeUndefined()
})

test('a number that loses digits is seen wherever it stands, and the digits of an id are none', () => {
  for (const number of ['9007199254740993', '-1e400', '0.10000000000000000001', '-1.5E+301'])
    for (const text of [
      number,
      `[${number}]`,
      `[1,${number}]`,
      `{"a": ${number} }`,
      `[\n${number}]`,
    ])
      expect([text, mayLoseDigits(text)]).toEqual([text, true])
  expect(mayLoseDigits('{"id":"c5194e567-820c-417e-b267-07f08e1bd197","n":1e22}')).toBe(false)
})

test('a body is indented with its numbers as they are spelled; a text stays', () => {
  expect(indentedJson('{"id":9007199254740993,"total":10.10}')).toBe(
    '{\n  "id": 9007199254740993,\n  "total": 10.10\n}',
  )
  expect(indentedJson('Pão')).toBeUndefined()
})

test('JSON that is nested deeper than 1000 levels is no JSON to what goes down level by level', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  expect(tryParseJson(nested(1000))).toBeDefined()
  expect(tryParseJson(nested(1001))).toBeUndefined()
  expect(tryParseJson(nested(200_000))).toBeUndefined()
  // Brackets in a text are not levels.
  expect(tryParseJson(JSON.stringify('['.repeat(5000)))).toBe('['.repeat(5000))
})
