// @module-tag slow
/** The scenarios of the repository catch their defects: each named defect breaks the named invariant. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadScenarios } from '../src/terminal/cli/run/load-scenarios.ts'
import type { DefectName } from '../src/demo/defects.ts'
import { playInProcess } from './support/play-scenario-in-process.ts'
import {
  isForReference,
  missedDefect,
  type ScenarioCheck,
  scenarioChecks,
} from './support/scenario-check.ts'
import { isSoak } from './support/soak.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const loaded = (await loadScenarios(['scenarios/**/*.yaml'], root)).filter(isForReference)
/** Its proofs play tens of thousands of requests: the tests of the rule catch the same defects. */
const costly = 'RC-3'
/**
 * Proofs of which each scenario, and each rule, has at least one, those first that are new for both: the soak and
 * `npm run scenarios` make all.
 */
function fewestProofs(all: readonly ScenarioCheck[]): readonly ScenarioCheck[] {
  const proven = new Set<string>()
  return [2, 1].flatMap((least) =>
    all.filter(({ file, breaks }) => {
      const fresh = [file, breaks].filter((each) => !proven.has(each))
      if (fresh.length < least) return false
      for (const each of fresh) proven.add(each)
      return true
    }),
  )
}
const all = scenarioChecks(loaded)
const checks = (isSoak ? all : fewestProofs(all.filter(({ breaks }) => breaks !== costly))).map(
  (check) => [check.name, check.defect, check.breaks, check] as const,
)

test.each(checks)('%s: %s breaks %s', async (_name, _defect, _breaks, check) => {
  expect(await missedDefect(check)).toBeUndefined()
})

/** A finding that is only advice, or depends on the seed, would let a scenario pass with its defect. */
test.each([
  ['a-courier-reports-every-step', 'reads-per-event'],
  ['an-event-that-cannot-be', 'follows-events'],
] as const satisfies readonly (readonly [string, DefectName])[])(
  '%s fails with %s, whatever its seed',
  async (story, defect) => {
    const runs = loaded.filter(({ file }) => file === `scenarios/${story}.yaml`)
    for (const seed of isSoak ? [1, 2, 3, 42] : [1, 42]) {
      const results = new Set<string>()
      for (const { run } of runs) {
        expect((await playInProcess(run, { seed })).result).toBe('passed')
        results.add((await playInProcess(run, { seed, defects: [defect] })).result)
      }
      expect([seed, results.has('failed')]).toEqual([seed, true])
    }
  },
)

test('[ORD-CAN-02] cancelled-before-it-was-heard-of fails with a service that forgets what it hears before CREATED', async () => {
  const runs = loaded.filter(({ file }) => file.includes('cancelled-before-it-was-heard-of'))
  for (const { run } of runs) {
    const { result } = await playInProcess(run, {
      defects: ['drops-events-of-unknown-orders', 'confirms-unread'],
    })
    expect(result).toBe('failed')
  }
})
