import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJsonWithPosition } from './read-json.ts'

const resultText = (text: string): unknown => {
  const read = parseJsonWithPosition(text)
  return read.ok ? read.value : `${read.error.line}:${read.error.column} ${read.error.message}`
}

test.each([
  ['{\n  "a": 1,\n  "b": 2\n  "c": 3\n}', '4:3 a comma or } is missing'],
  ['{\n  "a": 1,\n}', '3:1 there is a comma too many before }'],
  ['{ "a": }', '1:8 a value is missing'],
  ["{ 'a': 1 }", '1:3 a name in double quotes is missing'],
  ['{ "a" 1 }', '1:7 a colon is missing'],
  ['[1, 2', '1:6 the text ends, but a comma or ] is missing'],
  ['', '1:1 the text ends, but a value is missing'],
  ['{} x', '1:4 the text goes on after its end'],
  ['{"a": "one\ntwo"}', '1:7 this text does not end, or has a sign that must be escaped'],
  ['{"a": 01}', '1:8 a comma or } is missing'],
  ['{"a": True}', '1:7 a value is missing'],
])('%j is rejected: %s', (text, expected) => {
  expect(resultText(text)).toBe(expected)
})

test('accepts exactly what JSON.parse accepts, for any input', () => {
  const texts = fc.oneof(
    fc.json(),
    fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '\\', ' ', 'x', '\n'))
      .map(([text, place, sign]) => {
        const at = place % (text.length + 1)
        return text.slice(0, at) + sign + text.slice(at + 1)
      }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      let value: unknown
      let is = true
      try {
        value = JSON.parse(text)
      } catch {
        is = false
      }
      const read = parseJsonWithPosition(text)
      expect(read.ok).toBe(is)
      if (read.ok) expect(read.value).toEqual(value)
    }),
    { numRuns: 1000, seed: 3 },
  )
})
