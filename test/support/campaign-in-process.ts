/**
 * A campaign against the reference service in this process, on the virtual clock, whose records go to a file as those of the
 * command line do. As a program it runs until it is killed: `campaign-in-process.ts <options as JSON>`.
 */
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { openRecordFile } from '../../src/terminal/cli/shards/record-file.ts'
import { recordFormat } from '../../src/explore/cli/record-schema.ts'
import { readStoredCampaign, writtenWorkload } from '../../src/explore/cli/stored-campaign.ts'
import { ruleDescription } from '../../src/explore/cli/build-report.ts'
import { configurationParts } from '../../src/core/session-api/configuration/schema.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import { packageVersion } from '../../src/core/runtime/version.ts'
import { runCampaign } from '../../src/explore/campaign/campaign.ts'
import type { CampaignState } from '../../src/explore/campaign/campaign-state.ts'
import { createSessionRunner } from '../../src/explore/batch/session-runner.ts'
import { workloadsOf } from '../../src/explore/workloads/workloads.ts'
import { merchantIdentities } from '../../src/core/partners/seed-data/merchants.ts'
import { abortableSleep } from '../../src/core/runtime/clock/clock.ts'
import { prepareSession } from '../../src/core/session/session.ts'
import { createInProcessService, serviceCapabilities } from './in-process-service.ts'

export interface InProcessCampaignOptions {
  readonly file: string
  readonly defects: readonly DefectName[]
  readonly workloads: readonly string[]
  readonly seed: number
  readonly maxRuns: number
  readonly shard?: { readonly part: number; readonly of: number }
  /** Continues the campaign of the file. */
  readonly resume?: true
}

const pace = { pollMs: 1000, thinkMs: 300, reconcileMs: 12_000 }
const tolerances = { converge: '30s', grace: '10s' } as const

export async function runInProcess(options: InProcessCampaignOptions): Promise<CampaignState> {
  const { file, defects, seed, maxRuns, shard, resume } = options
  const subject = 'software-service'
  const workloads = workloadsOf(subject).filter(({ name }) => options.workloads.includes(name))
  const stored = resume ? await readStoredCampaign(file, '.') : undefined
  const records = openRecordFile(file, '.', resume === true)
  records.append({
    type: 'campaign',
    format: recordFormat,
    version: packageVersion(),
    seed,
    subject,
    channel: 'polling',
    workloads: workloads.map(writtenWorkload),
    budget: { maxRuns },
    ...(shard ? { shard } : {}),
    flags: [],
  })
  const enough = new AbortController().signal
  const runner = createSessionRunner({
    async open({ seed: own, faults }) {
      const service = createInProcessService({ defects, pace })
      const session = await prepareSession({
        seed: own,
        clock: 'virtual',
        listen: false,
        automatic: false,
        as: subject,
        handler: service.fetch,
        capabilities: serviceCapabilities(false),
        counterparts: { 'ordering-application': { concludeAfter: '2s', deliveries: false } },
        tolerances,
        faults: faults as never,
      })
      await Promise.all([session.begin(), session.loadFaults()])
      const started = service.start(session)
      return {
        session,
        async [Symbol.asyncDispose]() {
          await started[Symbol.asyncDispose]()
          await session.close()
        },
      }
    },
    subject,
    channel: 'polling',
    seed,
    sleep: abortableSleep,
    enough,
    tolerances: configurationParts.tolerances().parse(tolerances),
    asks: configurationParts.subject().parse({}).asks,
    faultPhaseMs: 30_000,
    merchants: merchantIdentities().map(({ externalCode }) => externalCode),
    width: () => 16,
  })
  const state = await runCampaign({
    seed,
    channels: ['polling'],
    workloads,
    runner,
    budget: { maxRuns },
    now: () => performance.now(),
    kindOf: (rule) => ruleDescription(rule)?.kind ?? 'liveness',
    onRecord: (record) => records.append(record),
    enough,
    ...(shard ? { shard } : {}),
    ...(stored ? { resume: stored.records } : {}),
  })
  await records.close()
  return state
}

if (argv[1] === fileURLToPath(import.meta.url))
  await runInProcess(JSON.parse(argv[2] ?? '') as InProcessCampaignOptions)
