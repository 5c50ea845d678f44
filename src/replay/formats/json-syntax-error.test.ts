import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonSyntaxError } from './json-syntax-error.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('a syntax error is found exactly when JSON.parse throws', () => {
  const cut = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', 'x', '\u0001', '\\', '-', '0'),
    )
    .map(([text, at, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + (at % 2))
    })
  fc.assert(
    fc.property(fc.oneof(cut, fc.json(), fc.string()), (text) => {
      expect(findJsonSyntaxError(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['{"a":nonsense}', 5],
  ['{"a":1,}', 7],
  ['[1 2]', 3],
  ['{"a" 1}', 5],
  ['["abc', 5],
  ['[1]]', 3],
  ['{"a":tru', 5],
  ['', 0],
  ['[', 1],
])('%s has its syntax error at %i', (text, at) => {
  expect(findJsonSyntaxError(text)?.at).toBe(at)
})
