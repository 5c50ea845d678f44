// @module-tag slow
/**
 * A V1 service is judged by the same rules as one of V2: a correct one keeps them all, and its defects break the same
 * ones.
 */
import { expect, test } from 'vitest'
import type { DefectName } from '../../../demo/defects.ts'
import { runFuzz } from '../../../../test/support/fuzz.ts'
import { openHarness } from '../../../../test/support/in-process-harness.ts'
import { runsFor } from '../../../../test/support/soak.ts'
import type { Verdict } from './verdict.ts'

const seeds = runsFor(1, 300)

/** Rules that a V1 service puts to the test under random faults; the others need a delivery platform, or luck. */
const exercised = `
  SE-3 SE-5 SE-6 SE-7 SE-8 SE-11
  CV-1 CV-2 CV-4 CV-6 CV-9
  AK-1 AK-2 AK-3 AK-4 AK-5 AK-6
  PO-1 PO-2 PO-3 RT-1 RT-3 RT-4 RT-6 RT-7
  TK-1 TK-2 TK-3 RC-1 RC-2
`

test('a correct V1 service has no findings, and puts the rules to the test', async () => {
  const premises = new Map<string, number>()
  const found: string[] = []
  const look = (seed: number, verdicts: readonly Verdict[]): void => {
    for (const { id, outcome, premises: met, findings } of verdicts) {
      premises.set(id, (premises.get(id) ?? 0) + met)
      if (outcome === 'open') found.push(`seed ${seed}: ${id} is open`)
      found.push(...findings.map(({ because }) => `seed ${seed}: ${id} ${because}`))
    }
  }
  for (let seed = 1; seed <= seeds; seed++)
    await runFuzz(seed, { speaks: 'v1' }, ({ verdicts }) => look(seed, verdicts))
  expect(found).toEqual([])
  expect(exercised.match(/[A-Z]+-\d+/g)?.filter((id) => (premises.get(id) ?? 0) === 0)).toEqual([])
})

test('a correct V1 service has no findings by webhook', async () => {
  await using harness = await openHarness({ speaks: 'v1', channel: 'webhook' })
  for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR'] as const) await harness.order(type)
  await harness.pass(60_000)
  const verdicts = await harness.judgeAll()
  expect(verdicts.flatMap(({ findings }) => findings)).toEqual([])
  const isPassed = (id: string): boolean =>
    verdicts.find((verdict) => verdict.id === id)?.outcome === 'passed'
  expect(['SE-6', 'CV-1', 'CV-2', 'WH-1', 'WH-2', 'WH-5'].map(isPassed)).not.toContain(false)
})

/** With the seed whose faults show the defect. */
test.each<[DefectName, readonly string[], seed: number]>([
  ['confirms-unread', ['SE-7'], 3],
  ['acts-on-202', ['SE-6'], 3],
  ['shares-the-current-order', ['SE-3', 'SE-6', 'SE-8', 'SE-11'], 3],
  ['cancels-on-timeout', ['SE-5'], 3],
  ['never-resumes', ['SE-12'], 6],
  ['drops-unread-orders', ['CV-1', 'CV-2', 'AK-4'], 6],
  ['fire-and-forget', ['CV-4', 'CV-6', 'RT-6'], 3],
  ['global-watermark', ['CV-9'], 6],
  ['acks-altered-ids', ['AK-1', 'AK-3'], 3],
  ['acks-at-end-of-order', ['AK-5'], 3],
  ['polls-again-at-once', ['PO-2'], 3],
  ['reads-in-a-loop', ['RC-1'], 6],
  ['reconciles-for-ever', ['RC-2'], 3],
  ['retries-without-pause', ['RT-1'], 3],
  ['retries-refusals', ['RT-5'], 9],
  ['no-client-timeout', ['RT-7', 'PO-1'], 6],
  ['forgets-call-at-401', ['TK-3'], 6],
])('the defect %s of a V1 service is caught by %j', async (defect, ids, seed) => {
  const failed = await runFuzz(seed, { speaks: 'v1', defects: [defect] }, ({ verdicts }) =>
    verdicts.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
  )
  expect(failed).toEqual(expect.arrayContaining([...ids]))
})

test('[MIG-ORD-03] findings name the calls of V1 by what they do, and show the requests as they were sent', async () => {
  const findings = await runFuzz(
    3,
    { speaks: 'v1', defects: ['confirms-unread'] },
    ({ verdicts }) => verdicts.find(({ id }) => id === 'SE-7'),
  )
  const [first] = findings?.findings ?? []
  expect(first?.because).toMatch(/^The service confirmed o\d at .* without reading it first/)
  expect(first?.evidence.at(-1)?.line).toMatch(/POST \/v1\/orders\/[\w-]+\/confirm  \d+$/)
})
