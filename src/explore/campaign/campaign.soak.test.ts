/** Ten thousand schedules on the correct service, over all channels: none may break a rule. `npm run soak`. */
import { expect, test } from 'vitest'
import { exploreReference } from '../../../test/support/explore-reference.ts'
import { isSoak } from '../../../test/support/soak.ts'

const hourMs = 3_600_000

test.runIf(isSoak).each([
  ['both', 5000, 6000],
  ['polling', 2500, 3000],
  ['webhook', 2500, 3000],
] as const)(
  'the correct service breaks no rule by %s, in %i schedules',
  { timeout: hourMs },
  async (channel, atLeast, maxRuns) => {
    const seed = 1 + Math.floor(Math.random() * 1_000_000)
    const broken: string[] = []
    const { state } = await exploreReference({
      channel,
      seed,
      maxRuns,
      onRecord(record) {
        if (record.type === 'schedule' && record.broken.length > 0)
          broken.push(`seed ${seed}, schedule ${record.index}: ${record.broken.join(', ')}`)
        if (record.type === 'steady' && record.failures.length > 0)
          broken.push(`${record.workload}: ${record.failures.map(({ rule }) => rule).join(', ')}`)
        if (record.type === 'unattributed') broken.push(record.rule)
      },
    })
    expect(broken).toEqual([])
    expect(Array.from(state.buckets.values(), ({ rule }) => rule)).toEqual([])
    // Equal schedules run once.
    expect(state.schedules.size).toBeGreaterThanOrEqual(atLeast)
  },
)
