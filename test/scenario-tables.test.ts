/** The tables of scenarios/README.md match the scenarios, and every fault and profile is used in one. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadScenarios } from '../src/terminal/cli/run/load-scenarios.ts'
import { faultCatalogue } from '../src/core/faults/catalogue.ts'
import { faultProfiles } from '../src/core/faults/profiles.ts'
import { stepEntryOf } from '../src/core/scenario/steps.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const loaded = await loadScenarios(['scenarios/**/*.yaml'], root)
const readme = await readFile(`${root}scenarios/README.md`, 'utf8')

/** The name of a fault or profile, from any of its notations. */
function nameOf(spec: unknown): string {
  if (typeof spec === 'string') return spec.split(':')[0] ?? spec
  return Object.keys(spec as object)[0] ?? ''
}

/** The scenarios that use each fault and each profile. */
const stories = new Map<string, Set<string>>()
for (const { file, run } of loaded) {
  const later = run.scenario.steps
    .map(stepEntryOf)
    .flatMap(({ kind: word, input: given }) => (word === 'fault' ? [given] : []))
  for (const spec of [...run.faults, ...later]) {
    const story = file.replace(/^scenarios\//, '').replace(/\.yaml$/, '')
    stories.set(nameOf(spec), (stories.get(nameOf(spec)) ?? new Set()).add(story))
  }
}

/** The rows of the table with this text in its header. */
function rowsUnder(head: string): readonly (readonly string[])[] {
  const [, rest = ''] = readme.split(new RegExp(`^\\| ${head}.*\\n.*\\n`, 'm'))
  const [table = ''] = rest.split(/^$/m)
  return table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

const listed = (cell = ''): readonly string[] => (cell === '–' ? [] : cell.split(', '))

test.each(faultCatalogue.map(({ name, code }) => [name, code] as const))(
  'the fault %s is in the table with its code, and in every scenario listed there',
  (name, code) => {
    const row = rowsUnder('code').find(([, fault]) => fault === name)
    expect(row?.[0]?.replace('\\', '')).toBe(code)
    const missing = listed(row?.[2]).filter((story) => stories.get(name)?.has(story) !== true)
    expect(missing).toEqual([])
    // A dash says that none uses it.
    expect(row?.[2] === '–').toBe(!stories.has(name))
  },
)

test('every profile is used in a scenario', () => {
  expect(Object.keys(faultProfiles).filter((name) => !stories.has(name))).toEqual([])
})

test('the pain points are 1 to 29 except three, and name existing scenarios', () => {
  const rows = rowsUnder('pain')
  const numbers = rows.map(([pain = '']) => Number.parseInt(pain, 10))
  const beyond = [24, 27, 28]
  expect(numbers).toEqual(
    Array.from({ length: 29 }, (_, index) => index + 1).filter((each) => !beyond.includes(each)),
  )
  const known = new Set(loaded.map(({ file }) => file))
  const unknown = rows
    .flatMap(([, cell]) => listed(cell))
    .filter((story) => !known.has(`scenarios/${story}.yaml`))
  expect(unknown).toEqual([])
})
