/** A service that does everything right comes through any weather, and one that does not is seen in it. */
import { expect, test } from 'vitest'
import type { DefectName } from './defects.ts'
import { storm } from '../../test/support/reference/storm.ts'

test('in sixty storms nothing is lost, done twice, or done too late', async () => {
  const broken: string[] = []
  for (let seed = 1; seed <= 60; seed++)
    broken.push(...(await storm(seed)).broken.map((sentence) => `${seed}: ${sentence}`))
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
])('%s does not come through them', async (name) => {
  let seed = 1
  while (seed < 20 && (await storm(seed, [name])).broken.length === 0) seed++
  expect(seed).toBeLessThan(20)
})
