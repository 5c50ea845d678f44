/** What holds for every invariant of the catalogue: whoever reads one of them knows how to read all. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '../protocol/catalogue.ts'
import { roles } from '../protocol/role.ts'
import { invariants } from './catalogue.ts'

const numbered = (area: string, most: number): readonly string[] =>
  Array.from({ length: most }, (_, index) => `${area}-${index + 1}`)

/** All that there are, in the order in which they are told. */
const all = [
  ...numbered('SE', 13),
  ...numbered('CV', 13),
  ...numbered('AK', 6),
  ...numbered('PO', 3),
  ...numbered('RT', 8),
  ...numbered('TK', 3),
  ...numbered('RC', 3),
  ...numbered('WH', 4),
]

test('there are 53, each once and in order', () => {
  expect(all).toHaveLength(53)
  expect(invariants.map(({ id }) => id)).toEqual(all)
})

const here = new Set(readdirSync(new URL('.', import.meta.url)))
const sentence = /^[A-Z].*[^.]\.$/
/** It goes on where a sentence stands: "put to the test when …". */
const clause = /^(?:[a-z]|[A-Z_]+ ).*[^.]$/
const known = new Set(operations.map(({ id }) => id))

test.each(invariants.map((each) => [each.id, each] as const))(
  '%s says what it is about, where it comes from and whom it binds',
  (_id, { name, sentence: says, premise, clauses, binds, sees, shown }) => {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/)
    expect(here).toContain(`${name}.ts`)
    expect(says).toMatch(sentence)
    expect(premise).toMatch(clause)
    expect(clauses).not.toEqual([])
    expect(new Set(clauses).size).toBe(clauses.length)
    for (const each of clauses) expect(each).toMatch(/^[A-Z]{3}-[A-Z]{3}-\d{2}$/)
    expect(binds).not.toEqual([])
    for (const role of binds) expect(roles).toContain(role)
    // It is shown something, has a word for what it asks for, and asks only for operations that there are.
    expect(Object.values(shown).filter(Boolean)).not.toEqual([])
    expect(shown.exchange !== undefined).toBe(Boolean(sees.exchanges ?? sees.failures))
    expect(shown.fact !== undefined).toBe(sees.facts !== undefined)
    for (const wanted of [sees.exchanges, sees.failures])
      if (Array.isArray(wanted)) for (const id of wanted) expect(known).toContain(id)
  },
)

test('each has a state of its own for each judge', () => {
  const shared = invariants.filter(({ start }) => {
    const state = start()
    return typeof state === 'object' && state !== null && state === start()
  })
  expect(shared.map(({ id }) => id)).toEqual([])
})

test('names and sentences are told apart', () => {
  for (const key of ['name', 'sentence'] as const)
    expect(new Set(invariants.map((each) => each[key])).size).toBe(invariants.length)
})
