// @module-tag nightly
/**
 * Campaigns in worker threads are those of this thread, record by record, and threads that hang or fail unhandled are left.
 * Each thread loads all of the sources, which takes many seconds: what hardly breaks alone is played at night.
 */
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { exploreReference } from '../../../test/support/explore-reference.ts'
import {
  createReferenceRunner,
  createReferenceWorkers,
} from '../../../test/support/reference-runner.ts'
import { createServiceModules } from '../../../test/support/service-modules.ts'
import { isSoak, runsFor } from '../../../test/support/soak.ts'
import { writtenWorkloads } from '../../../test/support/written-workloads.ts'
import type { ScheduleRunner } from '../batch/schedule-runner.ts'
import { runCampaign } from '../campaign/campaign.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { workloadsOf } from '../workloads/workloads.ts'

const { folder, referenceFile, dispose } = createServiceModules()
afterAll(dispose)

/** What is measured on the wall clock left out. */
const lasting = (each: CampaignRecord): CampaignRecord => {
  if (each.type !== 'batch') return each
  const { answerMs: _answerMs, ...pace } = each.pace
  return { ...each, pace }
}

async function hashOf(runner: ScheduleRunner, maxRuns: number, names?: readonly string[]) {
  const hash = createHash('sha256')
  const { schedules, buckets } = await runCampaign({
    seed: 5,
    channels: ['polling', 'webhook'],
    workloads: workloadsOf('software-service').filter(({ name }) => names?.includes(name) ?? true),
    runner,
    budget: { maxRuns },
    now: () => 0,
    kindOf: () => 'safety',
    enough: new AbortController().signal,
    onRecord: (each) => void hash.update(JSON.stringify(lasting(each))),
  })
  return { hash: hash.digest('hex'), schedules: schedules.size, rules: rulesOf(buckets) }
}

const rulesOf = (buckets: ReadonlyMap<string, { readonly rule: string }>) =>
  [...new Set(Array.from(buckets.values(), ({ rule }) => rule))].sort()

/** All of them take minutes: 2,000 with `npm run soak`, which plays them in one, two and four threads. */
const hashedRuns = runsFor(40, 2000)
const threadCounts = [1, 2, 4]
const names = isSoak ? undefined : ['takeout', 'cancelled-early']
const defects = ['cancels-on-timeout'] as const
const campaignOf = { seed: 5, defects }

describe(`with ${threadCounts.join(', ')} threads`, () => {
  test('each record is that of a campaign in this thread', { timeout: 3_600_000 }, async () => {
    const here = await hashOf(createReferenceRunner(campaignOf), hashedRuns, names)
    expect(here.schedules).toBeGreaterThan(0.75 * hashedRuns)
    expect(here.rules).toContain('SE-5')
    for (const workers of threadCounts) {
      await using threads = createReferenceWorkers(campaignOf, workers)
      expect([workers, await hashOf(threads, hashedRuns, names)]).toEqual([workers, here])
    }
  })
})

describe('a service in a module', () => {
  const small = {
    channel: 'polling',
    workloads: writtenWorkloads('software-service', ['takeout']),
    maxRuns: 16,
    workers: 2,
  } as const

  test('has the buckets that it has as functions', async () => {
    const subject = referenceFile('wrong.ts', 'cancels-on-timeout')
    const there = await exploreReference(small, { subject })
    const { workers: _workers, ...inThisThread } = small
    const here = await exploreReference({ ...inThisThread, defects })
    expect(there.buckets.length).toBeGreaterThan(0)
    expect(there.buckets).toEqual(here.buckets)
  })

  test('whose promise fails unhandled is an error with its place', async () => {
    const subject = referenceFile(
      'fails.ts',
      'never-acks',
      "  if (requests > 20) void Promise.reject(new Error('the printer is out of paper'))",
    )
    await expect(exploreReference(small, { subject })).rejects.toThrow(
      /Error: the printer is out of paper at .*fails\.ts:/,
    )
  })

  const hanging = join(folder, 'hanging')
  const hang = [`  writeFileSync(${JSON.stringify(hanging)}, '')`, '  for (;;);']

  test('that hangs is left when the time is over', async () => {
    const subject = referenceFile('hangs.ts', 'never-acks', ...hang)
    await expect(exploreReference({ ...small, maxMs: 1000 }, { subject })).rejects.toThrow(
      'the time was over before any fault was tried',
    )
  })

  test('that hangs is left when its campaign is interrupted', async () => {
    rmSync(hanging, { force: true })
    const stop = new AbortController()
    const subject = referenceFile('hangs.ts', 'never-acks', ...hang)
    const explored = exploreReference({ ...small, signal: stop.signal }, { subject })
    await expect.poll(() => existsSync(hanging)).toBe(true)
    stop.abort()
    const { state } = await explored
    expect(state.ended()?.reason).toBe('interrupted')
  })
})
