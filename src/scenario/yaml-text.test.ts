import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { readYaml } from '../edge/files/source-location.ts'
import { yamlText } from './yaml-text.ts'

test('whatever is written is read as the same', () => {
  const json = jsonValue({ maxDepth: 5 }).filter((value) => value !== null)
  assert(
    property(json, (value) => {
      const { value: back, error } = readYaml(yamlText(value))
      expect(error).toBeUndefined()
      // YAML knows no negative nothing.
      expect(back).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: 1, numRuns: 400 },
  )
})

test('words that YAML would read as something else stay words, and steps stand one below the other', () => {
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
