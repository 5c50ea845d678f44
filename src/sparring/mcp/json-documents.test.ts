import { expect, test } from 'vitest'
import { parseJsonDocuments } from './json-documents.ts'

test('one document, lines of JSON, and indented documents one after the other', () => {
  expect(parseJsonDocuments('{"a":1}\n')).toEqual([{ a: 1 }])
  expect(parseJsonDocuments('{"a":1}\n\n{"b":2}\n')).toEqual([{ a: 1 }, { b: 2 }])
  const indented = [[{ a: [1, { b: '}\n]' }] }], [], { c: 'd' }]
  const text = indented.map((each) => JSON.stringify(each, null, 2)).join('\n')
  expect(parseJsonDocuments(`${text}\n`)).toEqual(indented)
  expect(parseJsonDocuments('')).toEqual([])
})

test('text that is not JSON to its end is none', () => {
  expect(parseJsonDocuments('sparring.config.yaml\n')).toBeUndefined()
  expect(parseJsonDocuments('{"a":1}\nand more\n')).toBeUndefined()
  expect(parseJsonDocuments('{"a":\n')).toBeUndefined()
})
