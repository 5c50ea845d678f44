/** Contract of every invariant in the catalogue. */
import { clauseIds } from '../../protocol/clauses.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operations } from '../../protocol/catalogue.ts'
import { roles } from '../../protocol/role.ts'
import { invariants } from './catalogue.ts'

const files = readdirSync(new URL('rules', import.meta.url), { recursive: true, encoding: 'utf8' })
const rules = files.filter((path) => /(?<!\.test)\.ts$/.test(path))

/** Folder of each family of rules, by the prefix of its ids. */
const families: Readonly<Record<string, string>> = {
  SE: 'safety',
  CV: 'convergence',
  AK: 'acknowledgement',
  PO: 'polling',
  RT: 'retry',
  TK: 'token',
  RC: 'rate',
  WH: 'webhook',
  HO: 'hosting',
  EF: 'effects',
}

test('each file under rules is one invariant of the catalogue, in the folder of its family', () => {
  const expected = invariants.map(({ id, name }) => `${families[id.slice(0, 2)]}/${name}.ts`)
  expect(rules.toSorted()).toEqual(expected.toSorted())
})

/** Rules that compare runs: what tells two runs apart is in judge/compare-runs.test.ts. */
const ofRuns: ReadonlySet<string> = new Set(['CV-11', 'CV-12'])

test('each rule has a table of near misses with those of its family', () => {
  const tables = Object.entries(families).flatMap(([area, family]) => {
    const file = new URL(`rules/${family}/${family}.near-misses.test.ts`, import.meta.url)
    const ids = readFileSync(file, 'utf8').matchAll(/^nearMisses\('([^']+)'/gm)
    return [...ids].map(([, id]) => [area, id])
  })
  const expected = invariants
    .filter(({ id }) => !ofRuns.has(id))
    .map(({ id }) => [id.slice(0, 2), id])
  expect(tables).toEqual(expected)
})

test('ids are numbered from 1 within their area, and listed in order', () => {
  for (const area of Object.keys(families)) {
    const ids = invariants.map(({ id }) => id).filter((id) => id.startsWith(`${area}-`))
    expect(ids).toEqual(ids.map((_, index) => `${area}-${index + 1}`))
  }
})

/** A requirement, whose subject is the service. */
const requirement = /^Must (?:not )?[a-z].{20,130}[^.]\.$/
/** The verbs that instructions begin with. */
const imperatives =
  'Acknowledge|Add|Answer|Call|Check|Copy|Decide|Deduplicate|Discard|Dispatch|Handle|Keep|Limit|Number|Pass|Process|Read|Record|Retry|Send|Set|Share|Split|Stop|Store|Take|Treat|Use|Verify|Wait'
const instruction = new RegExp(String.raw`^(?:${imperatives}) .{30,140}[^.]\.$`)
/** A clause that continues "checked when …". */
const clause = /^(?:[a-z]|[A-Z_]+ ).*[^.]$/
const known = new Set(operations.map(({ id }) => id))

test.each(invariants.map((each) => [each.id, each] as const))(
  '%s declares its requirement, remedy, premise, clauses and roles',
  (_id, { name, sentence: says, remedy, premise, clauses, binds, ...rule }) => {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/)
    expect(says).toMatch(requirement)
    expect(remedy).toMatch(instruction)
    expect(premise).toMatch(clause)
    expect(clauses).not.toEqual([])
    expect(new Set(clauses).size).toBe(clauses.length)
    expect(clauses.filter((each) => !clauseIds.has(each))).toEqual([])
    expect(binds).not.toEqual([])
    for (const role of binds) expect(roles).toContain(role)
    // It handles something, names the calls that it handles, and names only existing operations.
    const {
      calls,
      call,
      answers,
      answer,
      webhook,
      handover,
      acknowledgment,
      facts,
      probe,
      effects,
    } = rule
    const handlers = [call, answer, webhook, handover, acknowledgment, facts, probe, effects]
    expect(handlers.some(Boolean)).toBe(true)
    expect(call !== undefined).toBe(calls !== undefined)
    expect(answer !== undefined).toBe(answers !== undefined)
    if (calls !== 'all') for (const each of calls ?? []) expect(known).toContain(each)
    for (const each of answers ?? []) expect(known).toContain(each)
  },
)

test('each invariant has a separate state per judge', () => {
  const shared = invariants.filter(({ start }) => {
    const state = start()
    return typeof state === 'object' && state !== null && state === start()
  })
  expect(shared.map(({ id }) => id)).toEqual([])
})

test('names, requirements and remedies are unique', () => {
  for (const key of ['name', 'sentence', 'remedy'] as const)
    expect(new Set(invariants.map((each) => each[key])).size).toBe(invariants.length)
})
