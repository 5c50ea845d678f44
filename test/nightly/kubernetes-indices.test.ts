/**
 * The command lines of the manifests as local processes: eight indices, two of which are killed while they work and started again,
 * merged, are one long run. What may differ: times, the order of records, how often the parts without faults were played (each
 * shard plays them), and with them the counts of coverage.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CampaignState } from '../../src/explore/campaign/campaign-state.ts'
import { mergedState } from '../../src/explore/cli/run-merge.ts'
import { readStoredCampaign } from '../../src/explore/cli/stored-campaign.ts'
import { demoServiceCommand, emptyFolder, runSparring } from '../support/spawn-sparring.ts'
import { countedService, runLocalJob } from './local-job.ts'
import { argumentsOf, hasKustomize, rendered, written } from '../kubernetes/manifests.ts'

const indices = 8
const speed = '20'

function folderOfJob(): string {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'sparring.config.yaml'), 'tolerances: { converge: 30s, grace: 5s }\n')
  return folder
}

/** Arguments of a manifest, with a folder in place of the volume, and with our own service. */
const localArguments = (args: readonly string[], folder: string): readonly string[] =>
  args
    .filter((each) => !/^--(?:start|subject|port)=/.test(each))
    .map((each) => each.replaceAll('/results/', `${folder}/`).replace(/^--wait=.*/, '--wait=5s'))

const startFlags = [
  `--start=${countedService(demoServiceCommand('--speed', speed))}`,
  `--speed=${speed}`,
]

const campaign = {
  SPARRING_SEED: '4',
  SPARRING_MAX_RUNS: '16',
  SPARRING_WORKLOAD: 'takeout',
}

/** What of a campaign must be equal. */
const outcomeOf = ({ schedules, buckets, steadyFailures }: CampaignState) => ({
  schedules: [...schedules.values()]
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, hash, broken }) => ({ index, hash, broken })),
  buckets: [...buckets.keys()].sort(),
  steadyFailures: [...steadyFailures.keys()].sort(),
})

async function stateOf(folder: string, parts: number): Promise<CampaignState> {
  const files = Array.from({ length: parts }, (_, index) => `shard-${index + 1}.ndjson`)
  return mergedState(await Promise.all(files.map((file) => readStoredCampaign(file, folder))))
}

const scenarioOf = (number: number): string => `name: Order ${number}
about: It is accepted, or expected not to be.
subject: none
orders:
  o1: { type: TAKEOUT }
steps:
  - create: o1
  - await: { status: CONFIRMED, order: o1 }
expect:
  statuses: { o1: ${number === 3 ? 'CREATED' : 'CONFIRMED'} }
`

const RunDocument = z.looseObject({
  runs: z.array(z.looseObject({ tookMs: z.number(), number: z.number() })),
})

/** The JSON report of a run, without what differs from time to time. */
function runsIn(text: string) {
  const { runs, ...rest } = RunDocument.parse(JSON.parse(text))
  return {
    ...rest,
    // One is run by the build, which knows its commit, the other from the sources.
    sparring: '',
    tookMs: 0,
    runs: runs.map((run) => ({ ...run, tookMs: 0, sessionMs: 0 })),
  }
}

test('run: eight indices, two killed and started again, are one run', async () => {
  const args = hasKustomize ? rendered('overlays/run') : written()
  const scenarios = emptyFolder()
  for (let number = 1; number <= 16; number++)
    writeFileSync(join(scenarios, `s${number}.yaml`), scenarioOf(number))
  const local = (job: string, folder: string): readonly string[] =>
    localArguments(argumentsOf(args, job), folder).map((each) =>
      each.replace(/^\/scenarios/, scenarios),
    )
  const [wholeFolder, folder] = [folderOfJob(), folderOfJob()]
  const playedWhole = runSparring(
    ['run', `${scenarios}/*.yaml`, '--as=software-service', '--json'],
    { cwd: wholeFolder },
  )
  const job = await runLocalJob({
    args: local('sparring-shards', folder),
    folder,
    variables: { SPARRING_SHARDS: String(indices) },
    indices,
    parallelism: 3,
    killedAt: new Map([
      [1, '"type":"run"'],
      [6, '"type":"result"'],
    ]),
  })
  const whole = await playedWhole
  expect(whole.code).toBe(1)
  expect(job.codes.toSorted((a, b) => (a ?? -1) - (b ?? -1))).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
  const merged = await runSparring(
    [...local('sparring-merge', folder), `--reporter=json=${folder}/run.json`],
    { cwd: folder, env: { SPARRING_SHARDS: String(indices) } },
  )
  expect(merged).toMatchObject({ code: 1, stderr: '' })
  expect(runsIn(readFileSync(join(folder, 'run.json'), 'utf8'))).toEqual(runsIn(whole.stdout))
  expect(readFileSync(join(folder, 'run.xml'), 'utf8')).toContain('tests="16" failures="1"')
}, 120_000)

const manifests = hasKustomize ? rendered('overlays/start') : written()

test('explore: eight indices, two killed and started again, are one campaign', async () => {
  const args = argumentsOf(manifests, 'sparring-shards')
  const [wholeFolder, folder] = [folderOfJob(), folderOfJob()]
  const whole = await runLocalJob({
    args: [...localArguments(args, wholeFolder), ...startFlags],
    folder: wholeFolder,
    variables: { ...campaign, SPARRING_SHARDS: '1' },
    indices: 1,
    parallelism: 1,
  })
  const job = await runLocalJob({
    args: [...localArguments(args, folder), ...startFlags],
    folder,
    variables: { ...campaign, SPARRING_SHARDS: String(indices) },
    indices,
    parallelism: 4,
    killedAt: new Map([
      [2, '"type":"campaign"'],
      [5, '"phase":"search"'],
    ]),
  })
  expect({ killed: job.killed.toSorted((a, b) => a - b), stderr: job.stderr.get(5) }).toEqual({
    killed: [2, 5],
    stderr: expect.stringContaining('continuing'),
  })
  expect(whole.codes).toEqual([0])
  expect(job.codes).toEqual(Array(indices).fill(0))

  const expected = outcomeOf(await stateOf(wholeFolder, 1))
  expect(expected.schedules).toHaveLength(Number(campaign.SPARRING_MAX_RUNS))
  expect(outcomeOf(await stateOf(folder, indices))).toEqual(expected)

  const merged = await runSparring(
    localArguments(argumentsOf(manifests, 'sparring-merge'), folder),
    { cwd: folder, env: { SPARRING_SHARDS: String(indices) } },
  )
  expect(merged).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('merged from 8 files'),
  })
  expect(merged.stderr).toBe('')
  expect(readFileSync(join(folder, 'campaign.xml'), 'utf8')).toContain('<testsuites')
  expect(readFileSync(join(folder, 'campaign.sarif'), 'utf8')).toContain('"2.1.0"')
}, 180_000)
