/**
 * Every invariant that a scenario says it tests can fail in it: of the defects that the invariant must catch, at
 * least one breaks it there. An invariant that nothing could break there would be content whatever the service does.
 */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadScenarios } from '../src/terminal/cli/run/load-scenarios.ts'
import { defects, type DefectName } from '../src/demo/defects.ts'
import { isSoak } from './support/soak.ts'
import { isForReference, missedDefect, type ScenarioCheck } from './support/scenario-check.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const loaded = (await loadScenarios(['scenarios/**/*.yaml'], root)).filter(isForReference)

/** The stories whose rule nothing could break before, and of all with the soak. */
const onceContent = ['cancelled-before', 'webhooks-come-again', 'an-old-answer', 'a-courier-was']

const stories = [...Map.groupBy(loaded, ({ file }) => file)].filter(
  ([file]) => isSoak || onceContent.some((story) => file.includes(story)),
)

const named = stories.flatMap(([file, all]) => {
  const runs = all.map(({ run }) => run)
  const { tests = [] } = runs[0]?.scenario.expect ?? {}
  return tests.map((rule) => [file, rule, runs] as const)
})

const defectsOf = (rule: string): readonly DefectName[] =>
  (Object.keys(defects) as DefectName[]).filter((name) => defects[name].invariants.includes(rule))

test.each(named)('%s: %s can fail in it', async (file, rule, runs) => {
  const missed: string[] = []
  for (const defect of defectsOf(rule)) {
    const check: ScenarioCheck = { file, name: file, defect, breaks: rule, runs }
    const why = await missedDefect(check)
    if (why === undefined) return
    missed.push(why)
  }
  expect(missed).toEqual([])
})
