// @module-tag slow
/** The table of defects: each is implemented, each is observable on the wire, and each invariant has at least two. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { invariants as catalogue } from '../core/rules/invariants/catalogue.ts'
import { type DefectName, defects } from './defects.ts'
import { documentDefects } from './odd-documents.ts'
import { openReferenceHarness } from '../../test/support/reference/reference-harness.ts'
import { defectStories } from '../../test/support/reference/defect-stories.ts'

const names = Object.keys(defects) as DefectName[]

const invariants = catalogue.map(({ id }) => id)
/** The stories play the demo's Software Service: the cases of rules of other roles alone are scripted, with their near misses. */
const scripted = catalogue.flatMap(({ id, binds }) =>
  binds.includes('software-service') ? [] : id,
)

test('each invariant has at least two defects, and each defect names existing invariants', () => {
  const shown = names.flatMap((name): readonly string[] => defects[name].invariants)
  const thin = invariants.filter((each) => shown.filter((other) => other === each).length < 2)
  expect(thin).toEqual(scripted)
  expect(shown.filter((each) => !invariants.includes(each))).toEqual([])
})

test('each defect of the table is implemented, and no other', () => {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const sources = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('test'))
    .map((path) => readFileSync(join(here, path), 'utf8'))
  const made = sources.flatMap((text) =>
    Array.from(text.matchAll(/wrong\('([^']+)'\)/g), ([, name]) => name),
  )
  const switched = names.filter((name) => !Object.hasOwn(documentDefects, name))
  expect(switched.filter((name) => !made.includes(name))).toEqual([])
  expect(made.filter((name) => !(names as (string | undefined)[]).includes(name))).toEqual([
    'its-name',
  ])
})

describe.each(names)('%s', (name) => {
  const { lab: options, seen } = defectStories[name]
  const play = async (made: readonly DefectName[]): Promise<boolean> => {
    const lab = await openReferenceHarness({ ...options, defects: made })
    const is = await seen(lab)
    await lab.end()
    return is
  }

  test(`${defects[name].description}, and it shows`, async () => {
    expect(await play([name])).toBe(true)
  })

  test('the correct service does not show it', async () => {
    expect(await play([])).toBe(false)
  })
})
