import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { parseYamlText } from '../runtime/files/source-location.ts'
import { yamlText } from './yaml-text.ts'

test('written values parse back to equal values', () => {
  const json = jsonValue({ maxDepth: 5 }).filter((value) => value !== null)
  assert(
    property(json, (value) => {
      const { value: back, error } = parseYamlText(yamlText(value))
      expect(error).toBeUndefined()
      // YAML has no negative zero.
      expect(back).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: 1, numRuns: 400 },
  )
})

test('strings that YAML would parse otherwise are quoted, and steps are written in block style', () => {
  const value = {
    name: 'no',
    about: 'a: b # c',
    seed: '007',
    orders: { o1: { type: 'DELIVERY' } },
    steps: [{ create: 'o1' }, { await: { call: 'confirmOrder', within: '1m' } }],
  }
  expect(yamlText(value)).toBe(`name: "no"
about: "a: b # c"
seed: "007"
orders:
  o1: { type: DELIVERY }
steps:
  - create: o1
  - await: { call: confirmOrder, within: 1m }
`)
})
