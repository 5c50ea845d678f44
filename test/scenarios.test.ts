// @module-tag slow
/**
 * The scenarios of the repository: each passes with a correct service. Of runs that differ in their seed alone, `npm test`
 * plays the first two, the soak all.
 */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadScenarios } from '../src/terminal/cli/run/load-scenarios.ts'
import { compareOutcomes } from '../src/core/scenario/compare-outcomes.ts'
import { playInProcess } from './support/play-scenario-in-process.ts'
import { isForReference } from './support/scenario-check.ts'
import { isSoak } from './support/soak.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const loaded = (await loadScenarios(['scenarios/**/*.yaml'], root)).filter(isForReference)
const files = [...Map.groupBy(loaded, ({ file }) => file)]

test.each(files)('%s passes with a correct service', async (_file, runs) => {
  const groups = new Map<string, Awaited<ReturnType<typeof playInProcess>>[]>()
  for (const { run } of runs) {
    const { seeds = [] } = run.scenario.variants ?? {}
    if (!isSoak && run.seed !== undefined && seeds.indexOf(run.seed) > 1) continue
    const outcome = await playInProcess(run)
    const claims = outcome.unexercised.filter(({ isClaimed }) => isClaimed)
    const texts = [...outcome.failures, ...claims].map(({ because }) => because)
    expect({ title: run.title, texts }).toEqual({ title: run.title, texts: [] })
    expect(outcome.result).toBe('passed')
    if (run.group !== undefined) groups.set(run.group, [...(groups.get(run.group) ?? []), outcome])
  }
  for (const outcomes of groups.values()) expect(compareOutcomes(outcomes)).toEqual([])
})

test('every file names a defect that it catches, or declares that it catches none', () => {
  const without = files
    .filter(([, [first]]) => first?.run.scenario.proof.length === 0)
    .map(([file]) => file)
  expect(without).toEqual([])
})
