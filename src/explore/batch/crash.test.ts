// @module-tag slow
/** Campaigns against the reference service in this process, as one that an answer 5xx to a reading ends. */
import { expect, test } from 'vitest'
import { createReferenceRunner } from '../../../test/support/reference-runner.ts'
import { runsFor } from '../../../test/support/soak.ts'
import type { BatchEntry, ScheduleRunner } from './schedule-runner.ts'
import { runCampaign } from '../campaign/campaign.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { crashedBatch, crashFailure, crashRule } from './crash.ts'
import type { Schedule } from '../schedules/schedule.ts'
import { createWorkload } from '../workloads/workload.ts'

const workload = createWorkload({
  name: 'takeout',
  about: 'An order is picked up.',
  subjects: ['software-service'],
  orders: { o1: { type: 'TAKEOUT' } },
})

const crash = crashFailure({ because: 'it ended with code 1', output: [] }, [])

const isFatal = ({ faults }: Schedule): boolean =>
  faults.some(
    ({ name, match, options }) =>
      name === 'fail' && match.operation === 'getOrder' && Number(options['status']) >= 500,
  )

/** Schedules of the search for the one that is fatal. */
const searchRuns = runsFor(16, 96)

/** Crashes in each session in which `crashes` says so. */
function crashingRunner(crashes: (entries: readonly BatchEntry[]) => boolean): ScheduleRunner {
  const runner = createReferenceRunner({ seed: 1, channel: 'polling' })
  return {
    width: runner.width,
    sessions: runner.sessions,
    async play(entries) {
      const batch = await runner.play(entries)
      return crashes(entries) ? crashedBatch(batch, crash) : batch
    },
    async playAgain(entry, attempt) {
      const result = await runner.playAgain(entry, attempt)
      return crashes([entry]) ? { ...result, failures: [crash] } : result
    },
  }
}

async function explore(crashes: (entries: readonly BatchEntry[]) => boolean, maxRuns = searchRuns) {
  const records: CampaignRecord[] = []
  const state = await runCampaign({
    seed: 1,
    channels: ['polling'],
    workloads: [workload],
    runner: crashingRunner(crashes),
    budget: { maxRuns },
    now: () => 0,
    kindOf: () => 'safety',
    enough: new AbortController().signal,
    onRecord: (each) => void records.push(each),
  })
  return { state, records }
}

test('the schedule that ends the service is found by halves; the others run again without its trigger', async () => {
  const { state, records } = await explore((entries) =>
    entries.some(({ schedule }) => isFatal(schedule)),
  )
  const buckets = [...state.buckets.values()].filter(({ rule }) => rule === crashRule.id)
  expect(buckets).toMatchObject([{ status: 'confirmed', schedule: { faults: [{ name: 'fail' }] } }])
  const crashed = records.filter(
    (each) => each.type === 'batch' && each.crash && each.schedules > 1,
  )
  // One group is halved until the schedule is alone; known triggers crash no other group.
  expect(crashed.length).toBeGreaterThan(0)
  expect(crashed.length).toBeLessThanOrEqual(5)
  const broken = [...state.schedules.values()].map((each) => each.broken)
  expect(broken.filter((each) => each.length > 0).every((each) => each.length === 1)).toBe(true)
  expect(broken.length).toBeGreaterThan(0.8 * searchRuns)
})

test('what a crash that does not repeat has cut short runs again, and nothing is blamed for it', async () => {
  let sessions = 0
  const { state } = await explore(() => ++sessions === 3, 16)
  const failed = [...state.schedules.values()].filter(({ broken }) => broken.length > 0)
  expect(failed).toEqual([])
  expect(state.schedules.size).toBe(16)
  expect(state.buckets.size).toBe(0)
  expect(state.crash()).toEqual(crash)
})

test('a service that ends in each session does not keep a campaign from ending', async () => {
  const { state } = await explore(() => true, 8)
  expect(state.leftOut.get('takeout')).toBe(crash.because)
  expect([...state.buckets.values()]).toMatchObject([
    { rule: crashRule.id, status: 'confirmed', schedule: { faults: [] } },
  ])
  let sessions = 0
  const later = await explore(() => ++sessions > 1, 8)
  expect([...later.state.buckets.values()]).toMatchObject([
    { rule: crashRule.id, schedule: { faults: [] } },
  ])
  expect(later.records.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
})
