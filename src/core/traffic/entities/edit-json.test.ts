/** Values of a JSON text are edited in place, and the rest of the text is unchanged. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editJson, framesPointer } from './edit-json.ts'

const same = (): undefined => undefined

test('every string and number is visited with its pointer', () => {
  const seen: string[] = []
  editJson('{"a":{"b/c":["x",1.50]},"~":true,"d":null,"a":"again"}', (frames, value, isNumber) => {
    seen.push(`${framesPointer(frames)} ${value} ${isNumber}`)
    return undefined
  })
  expect(seen).toEqual(['/a/b~1c/0 x false', '/a/b~1c/1 1.50 true', '/a again false'])
})

test.each([
  ['"http:\\/\\/a\\/b"', '"http:\\/\\/a\\/c"'],
  ['"S\\u00e3o b"', '"S\\u00e3o c"'],
  ['"São b"', '"São c"'],
  ['"a\\nb"', '"a\\nc"'],
  ['"\\\\/b"', '"\\\\/c"'],
  ['"é\\u0001b"', '"é\\u0001c"'],
])('%s keeps its escapes', (text, changed) => {
  expect(editJson(text, (_frames, value) => value.replace(/b$/, 'c'))).toBe(changed)
})

test('without edits the text is unchanged, in any spelling', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat({ max: 3 }), (text, indent) => {
      const spelled = JSON.stringify(JSON.parse(text), undefined, indent)
      expect(editJson(spelled, same)).toBe(spelled)
    }),
    { numRuns: 200 },
  )
})

test('an edit changes the parsed value at its place and nothing else', () => {
  const marked = (value: unknown): unknown => {
    if (typeof value === 'string') return `${value}!`
    if (Array.isArray(value)) return value.map(marked)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, marked(each)]))
  }
  fc.assert(
    fc.property(
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
      (value) => {
        const text = JSON.stringify(value)
        const edited = editJson(text, (_frames, each, isNumber) =>
          isNumber ? undefined : `${each}!`,
        )
        expect(edited).toBe(JSON.stringify(marked(JSON.parse(text))))
      },
    ),
    { numRuns: 200 },
  )
})

test.each(['', '{', '{"a":', '[1,2', '"open', 'nonsense', '{"a":1}{"b":2}', '[1]]', '{]'])(
  'invalid JSON is answered with undefined: %s',
  (text) => {
    expect(editJson(text, same)).toBeUndefined()
  },
)

test('a document with a million nested brackets is rejected', () => {
  expect(editJson('['.repeat(1_000_000), same)).toBeUndefined()
})

test('a number that is replaced by a non-number becomes a string, so that the text stays JSON', () => {
  const named = (name: string) => editJson('{"merchantId": 1234567}', () => name)
  expect(named('M-7')).toBe('{"merchantId": "M-7"}')
  expect(named('0012')).toBe('{"merchantId": "0012"}')
  expect(named('7654321')).toBe('{"merchantId": 7654321}')
})
