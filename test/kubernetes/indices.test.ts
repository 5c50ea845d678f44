/**
 * The command lines of the manifests as local processes: eight indices, two of which are killed while they work and started again,
 * merged, are one long run. What may differ: times, the order of records, how often the parts without faults were played (each
 * shard plays them), and with them the counts of coverage.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CampaignState } from '../../src/exploration/campaign/campaign-state.ts'
import { mergedState } from '../../src/cli/explore/run-merge.ts'
import { readStoredCampaign } from '../../src/cli/explore/stored-campaign.ts'
import { demoServiceCommand, emptyFolder, runSparring } from '../support/spawn-sparring.ts'
import { isSoak, runsFor } from '../support/soak.ts'
import { countedService, runLocalJob } from './local-job.ts'
import { argumentsOf, hasKustomize, rendered, written } from './manifests.ts'

const indices = 8
const speed = '20'
/** A service that is right in the quick test; in a soak one whose mistake is found, shrunk and kept. */
const defects = isSoak ? ['--defect', 'cancels-on-timeout'] : []

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
  `--start=${countedService(demoServiceCommand('--speed', speed, ...defects))}`,
  `--speed=${speed}`,
]

const campaign = {
  SPARRING_SEED: '4',
  SPARRING_MAX_RUNS: String(runsFor(16, 64)),
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
  expect({ killed: job.killed.toSorted(), stderr: job.stderr.get(5) }).toEqual({
    killed: [2, 5],
    stderr: expect.stringContaining('continuing'),
  })
  const code = isSoak ? 1 : 0
  expect(whole.codes).toEqual([code])
  if (!isSoak) expect(job.codes).toEqual(Array(indices).fill(0))

  const expected = outcomeOf(await stateOf(wholeFolder, 1))
  expect(expected.schedules).toHaveLength(Number(campaign.SPARRING_MAX_RUNS))
  expect(outcomeOf(await stateOf(folder, indices))).toEqual(expected)

  const merged = await runSparring(
    localArguments(argumentsOf(manifests, 'sparring-merge'), folder),
    { cwd: folder, env: { SPARRING_SHARDS: String(indices) } },
  )
  expect(merged).toMatchObject({ code, stdout: expect.stringContaining('merged from 8 files') })
  expect(merged.stderr).toBe('')
  expect(readFileSync(join(folder, 'campaign.xml'), 'utf8')).toContain('<testsuites')
  expect(readFileSync(join(folder, 'campaign.sarif'), 'utf8')).toContain('"2.1.0"')
}, 180_000)
