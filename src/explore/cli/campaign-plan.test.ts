import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exploreFolder } from '../../../test/support/explore-verb.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { planCampaign } from './campaign-plan.ts'

/** The types of the orders of all workloads that are searched. */
async function typesSearched(configuration: string, workload?: readonly string[]) {
  const cwd = exploreFolder()
  writeFileSync(join(cwd, 'sparring.yaml'), configuration)
  const flags = {
    as: 'ordering-application',
    subject: 'http://127.0.0.1:9',
    config: 'sparring.yaml',
    ...(workload ? { workload } : {}),
  } as const
  const { workloads } = await planCampaign(flags, createTestIo({ cwd }).io)
  return new Set(workloads.flatMap(({ orders }) => Object.values(orders).map(({ type }) => type)))
}

test('a capability that is switched off is not searched, unless a workload of it is named', async () => {
  expect(await typesSearched('capabilities: {}')).toContain('INDOOR')
  const without = await typesSearched('capabilities: { indoor: false }')
  expect(without).toContain('TAKEOUT')
  expect(without).not.toContain('INDOOR')
  expect(await typesSearched('capabilities: { indoor: false }', ['indoor'])).toContain('INDOOR')
})
