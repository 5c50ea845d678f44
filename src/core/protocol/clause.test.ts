/**
 * The text of every clause of the register: complete, in the same words everywhere, and loaded only when it is read.
 */
import { expect, test } from 'vitest'
import { boundPartyName, clausePlaces, clausesOf, clauseWithPlace, loadClauses } from './clause.ts'
import { clauseIds } from './clauses.ts'

const clauses = await loadClauses()

test('each of the 539 clauses of the register has its text, and there is none beside them', () => {
  expect(clauseIds.size).toBe(539)
  expect([...clauses.keys()].toSorted()).toEqual([...clauseIds].toSorted())
})

test('a clause says one sentence or more, names its chapter in one of the three documents and whom it binds', () => {
  const wrong = [...clauses.values()].filter(
    ({ says, sources, binds }) =>
      !/^\S.*\.$/.test(says) ||
      /\s{2}|\n/.test(says) ||
      sources.length === 0 ||
      sources.some(({ document, chapter }) => ![1, 2, 3].includes(document) || chapter === '') ||
      binds.length === 0 ||
      binds.some((party) => (boundPartyName(party) as string | undefined) === undefined),
  )
  expect(wrong).toEqual([])
})

test('[ORD-EVR-03] a clause is cited with its sentence, document and chapter', () => {
  const [clause, ...others] = clausesOf(['ORD-EVR-03', 'ORD-EVR-99'], clauses)
  expect(others).toEqual([])
  if (!clause) throw new Error('ORD-EVR-03 is missing')
  expect(clauseWithPlace(clause)).toBe(
    'Events are deduplicated by eventId. (2 Orders and Indoor: Events > Orders events)',
  )
  expect(clausePlaces(clause)).toEqual([
    'document 2, Orders Capability and Indoor Extension: Events > Orders events',
  ])
  expect(clause.binds.map(boundPartyName)).toEqual(['Software Service'])
})
