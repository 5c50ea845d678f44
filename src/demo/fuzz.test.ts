// @module-tag slow
/** The correct reference service survives seeded fault storms; services with a defect do not. */
import { expect, test } from 'vitest'
import type { DefectName } from './defects.ts'
import { runsFor } from '../../test/support/soak.ts'
import { runStorm } from '../../test/support/reference/storm.ts'

const storms = runsFor(12, 60)

test(`in ${storms} fault storms nothing is lost, repeated or late`, async () => {
  const broken: string[] = []
  for (let seed = 1; seed <= storms; seed++)
    broken.push(...(await runStorm(seed)).broken.map((sentence) => `${seed}: ${sentence}`))
  expect(broken).toEqual([])
})

test.each<DefectName>([
  'never-compensates',
  'forgets-event-ids',
  'acts-on-202',
  'never-reconciles',
  'no-client-timeout',
  'keeps-rejected-token',
  'ignores-retry-after',
])('the defect %s breaks a rule within twenty fault storms', async (name) => {
  let seed = 1
  while (seed < 20 && (await runStorm(seed, [name])).broken.length === 0) seed++
  expect(seed).toBeLessThan(20)
})
