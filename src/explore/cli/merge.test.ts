// @module-tag slow
/**
 * A campaign of several parts, two of which are killed and resumed: what is merged is what one long campaign finds. One is
 * a process; the file of the other is cut to what it leaves.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  type InProcessCampaignOptions,
  runInProcess,
} from '../../../test/support/campaign-in-process.ts'
import { exploreFolder, runVerbIn, startVerb } from '../../../test/support/explore-verb.ts'
import { runsFor } from '../../../test/support/soak.ts'
import { startProgram } from '../../../test/support/spawn-sparring.ts'
import type { CampaignState } from '../campaign/campaign-state.ts'
import { mergedState } from './run-merge.ts'
import { readStoredCampaign } from './stored-campaign.ts'

/** Schedules of the whole campaign, and its parts. */
const maxRuns = runsFor(12, 16)
const parts = runsFor(3, 8)
/**
 * By part: it is killed when this text is in its file: in the middle of its search, as a process, and at its beginning.
 */
const killedAt = new Map([
  [1, '"type":"schedule"'],
  [3, '"type":"phase"'],
])
const partOfProcess = 1
/** As a kill in the middle of a write leaves it. */
const torn = '{"type":"sched'

const base = {
  defects: ['late-answers-count'],
  workloads: ['takeout'],
  seed: 1,
  maxRuns,
} as const satisfies Omit<InProcessCampaignOptions, 'file'>

const program = fileURLToPath(
  new URL('../../../test/support/campaign-in-process.ts', import.meta.url),
)

const hashesOf = ({ schedules }: CampaignState): readonly string[] =>
  [...new Set([...schedules.values()].map(({ hash }) => hash))].sort()
const bucketIdsOf = ({ buckets }: CampaignState): readonly string[] => [...buckets.keys()].sort()

/** The campaign of the parts in a folder. */
function campaignIn(cwd: string) {
  const fileOf = (part: number): string => `part-${part}.ndjson`
  const textOf = (part: number): string => {
    const file = join(cwd, fileOf(part))
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  const numbers = Array.from({ length: parts }, (_, index) => index + 1)
  const optionsOf = (part: number) => ({
    ...base,
    file: join(cwd, fileOf(part)),
    shard: { part, of: parts },
  })
  /** To its end, or to its death. */
  async function play(part: number): Promise<void> {
    const text = killedAt.get(part)
    if (part !== partOfProcess) {
      await runInProcess(optionsOf(part))
      if (text !== undefined) cutAfter(part, text)
      return
    }
    await kill(part, text ?? '')
  }
  function cutAfter(part: number, text: string): void {
    const whole = textOf(part)
    const line = whole.indexOf('\n', whole.indexOf(text)) + 1
    writeFileSync(join(cwd, fileOf(part)), `${whole.slice(0, line)}${torn}`)
  }
  async function kill(part: number, text: string): Promise<void> {
    const running = startProgram({
      file: process.execPath,
      args: [program, JSON.stringify(optionsOf(part))],
      env: {},
    })
    await expect.poll(() => textOf(part), { timeout: 30_000, interval: 2 }).toContain(text)
    running.kill('SIGKILL')
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })
    appendFileSync(join(cwd, fileOf(part)), torn)
  }
  return {
    fileOf,
    textOf,
    async playAll() {
      for (const part of numbers) await play(part)
    },
    resume: (part: number) => runInProcess({ ...optionsOf(part), resume: true }),
    state: async (): Promise<CampaignState> =>
      mergedState(await Promise.all(numbers.map((part) => readStoredCampaign(fileOf(part), cwd)))),
  }
}

test('parts, two of them killed: only what these two had not played is missing; resumed, they are one campaign', async () => {
  const cwd = exploreFolder()
  const campaign = campaignIn(cwd)
  const merge = ['explore', 'merge', 'part-{part}.ndjson', '--shards', String(parts)]
  await campaign.playAll()
  const whole = await runInProcess({ ...base, file: join(cwd, 'whole.ndjson') })
  expect(hashesOf(whole).length).toBeGreaterThan(0.75 * maxRuns)
  expect(bucketIdsOf(whole)).toHaveLength(1)

  const killed = [...killedAt.keys()]
  const early = await runVerbIn(merge, cwd)
  expect(early.code).toBe(3)
  expect(early.stderr.match(/^sparring: part-\d\.ndjson has not ended: .*$/gm)).toHaveLength(2)
  for (const part of killed)
    expect(early.stderr).toContain(`${campaign.fileOf(part)} has not ended`)
  const played = await campaign.state()
  const share = maxRuns / parts
  const missing = [...whole.schedules.keys()].filter((index) => !played.hasIndex(index))
  expect(missing.length).toBeGreaterThan(0)
  const partOf = (index: number): number => Math.floor(index / share) + 1
  expect(missing.filter((index) => !killed.includes(partOf(index)))).toEqual([])

  // The merge waits for what is late.
  const merging = startVerb([...merge, '--wait', '2m', '--corpus', 'found', '--json'], cwd)
  const before = killed.map((part) => campaign.textOf(part).split('\n').length)
  for (const part of killed) await campaign.resume(part)
  expect(await merging.ended).toBe(1)
  expect(merging.written().stderr).toBe('')
  for (const [index, part] of killed.entries()) {
    expect(campaign.textOf(part).split('\n').length).toBeGreaterThan(before[index] ?? 0)
    expect(readFileSync(join(cwd, `${campaign.fileOf(part)}.torn`), 'utf8')).toBe(`${torn}\n`)
  }

  const alone = await runVerbIn(['explore', 'merge', 'whole.ndjson', '--json'], cwd)
  expect(alone.code).toBe(1)
  const state = await campaign.state()
  expect(hashesOf(state)).toEqual(hashesOf(whole))
  expect(bucketIdsOf(state)).toEqual(bucketIdsOf(whole))
  expect(state.exercisedClasses()).toEqual(whole.exercisedClasses())
  expect([...state.coverage.keys()].sort()).toEqual([...whole.coverage.keys()].sort())
  // What two parts both ran had other neighbours in each, and may look different.
  const [estimate, expected] = [state.estimate(), whole.estimate()]
  expect(estimate.runs).toBe(expected.runs)
  expect(estimate.newProbability).toBeCloseTo(expected.newProbability, 1)
  const [id] = bucketIdsOf(whole)
  expect(existsSync(join(cwd, 'found', `RT-7-${id}.yaml`))).toBe(true)
  const report: unknown = JSON.parse(merging.written().stdout)
  expect(report).toMatchObject({ ok: false, buckets: [{ id, status: 'confirmed' }] })
}, 120_000)
