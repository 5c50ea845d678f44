// @module-tag slow
/** Parts of a campaign that are merged are as one campaign; a killed one that is resumed is as one that was not. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  type InProcessCampaignOptions,
  runInProcess,
} from '../../../test/support/campaign-in-process.ts'
import { exploreFolder, runVerbIn } from '../../../test/support/explore-verb.ts'
import { runsFor } from '../../../test/support/soak.ts'
import { startProgram } from '../../../test/support/spawn-sparring.ts'
import type { CampaignState } from '../../exploration/campaign/campaign-state.ts'
import { mergedState } from './run-merge.ts'
import { readStoredCampaign } from './stored-campaign.ts'

const base = {
  defects: ['late-answers-count'],
  workloads: ['takeout', 'delivery'],
  seed: 1,
} as const

const hashesOf = ({ schedules }: CampaignState): readonly string[] =>
  [...new Set([...schedules.values()].map(({ hash }) => hash))].sort()
const bucketIdsOf = ({ buckets }: CampaignState): readonly string[] => [...buckets.keys()].sort()

/** Schedules of the whole campaign, and its parts. */
const maxRuns = runsFor(32, 128)
const parts = runsFor(4, 8)

test('parts, each in a file of its own, merged: the schedules, buckets and coverage of one campaign', async () => {
  const cwd = exploreFolder()
  const whole = await runInProcess({ ...base, maxRuns, file: join(cwd, 'whole.ndjson') })
  const files: string[] = []
  for (let part = 1; part <= parts; part++) {
    const file = `${part}.ndjson`
    files.push(file)
    await runInProcess({ ...base, maxRuns, file: join(cwd, file), shard: { part, of: parts } })
  }
  // In any order, and through the command line.
  const merged = await runVerbIn(
    ['explore', 'merge', ...files.toReversed(), '--corpus', 'found', '--json'],
    cwd,
  )
  const alone = await runVerbIn(['explore', 'merge', 'whole.ndjson', '--json'], cwd)
  expect([merged.code, alone.code]).toEqual([1, 1])
  const state = mergedState(await Promise.all(files.map((file) => readStoredCampaign(file, cwd))))
  expect(hashesOf(whole).length).toBeGreaterThan(0.75 * maxRuns)
  expect(hashesOf(state)).toEqual(hashesOf(whole))
  expect(bucketIdsOf(whole)).toHaveLength(1)
  expect(bucketIdsOf(state)).toEqual(bucketIdsOf(whole))
  expect([...state.coverage.keys()].sort()).toEqual([...whole.coverage.keys()].sort())
  // What two parts both ran had other neighbours in each, and may look different.
  const [estimate, expected] = [state.estimate(), whole.estimate()]
  expect(estimate.runs).toBe(expected.runs)
  expect(estimate.newProbability).toBeCloseTo(expected.newProbability, 1)
  const [id] = bucketIdsOf(whole)
  expect(existsSync(join(cwd, 'found', `RT-7-${id}.yaml`))).toBe(true)
}, 60_000)

test('killed with SIGKILL in the middle and resumed, a campaign ends with the buckets of one that was not', async () => {
  const cwd = exploreFolder()
  const options: Omit<InProcessCampaignOptions, 'file'> = { ...base, maxRuns }
  const whole = await runInProcess({ ...options, file: join(cwd, 'whole.ndjson') })
  const file = join(cwd, 'killed.ndjson')
  const source = fileURLToPath(
    new URL('../../../test/support/campaign-in-process.ts', import.meta.url),
  )
  const running = startProgram({
    file: process.execPath,
    args: [source, JSON.stringify({ ...options, file })],
    env: {},
  })
  await expect
    .poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : ''), {
      timeout: 30_000,
      interval: 5,
    })
    .toContain('"type":"schedule"')
  running.kill('SIGKILL')
  expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })
  const before = readFileSync(file, 'utf8').split('\n').length
  // As a kill in the middle of a write leaves it.
  appendFileSync(file, '{"type":"sched')

  const resumed = await runInProcess({ ...options, file, resume: true })
  expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(before)
  expect(readFileSync(`${file}.torn`, 'utf8')).toBe('{"type":"sched\n')
  expect(hashesOf(resumed)).toEqual(hashesOf(whole))
  expect(bucketIdsOf(whole).length).toBeGreaterThan(0)
  expect(bucketIdsOf(resumed)).toEqual(bucketIdsOf(whole))
}, 60_000)
