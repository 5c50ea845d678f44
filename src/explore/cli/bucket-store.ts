/** Keeps buckets in the corpus: the scenario of the smallest reproducer, and the recording of its run. */
import type { Bucket } from '../investigation/bucket.ts'
import type { BatchEntry } from '../batch/schedule-runner.ts'
import type { ReplayResult } from '../schedules/result.ts'
import { scenarioOfBucket } from '../investigation/scenario-of-bucket.ts'
import { scheduleText } from '../schedules/schedule.ts'
import { trimWorkload, type Workload } from '../workloads/workload.ts'
import { formatDuration } from '../../core/protocol/duration.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { ruleDescription, type KeptFiles } from './build-report.ts'
import { type CorpusWriter, reproducerName } from './corpus.ts'
import type { CampaignHeader } from './record-schema.ts'

export interface BucketStoreOptions {
  readonly corpus: CorpusWriter
  readonly workloads: ReadonlyMap<string, Workload>
  readonly channel: CampaignHeader['channel']
  /** The time to recover of the campaign, in ms, where it is not that of the configuration. */
  readonly convergeMs: () => number | undefined
  readonly faultPhaseMs: () => number
  /** Plays and records a reproducer; absent when there is no service. */
  readonly record?: (entry: BatchEntry, file: string) => Promise<ReplayResult>
}

export interface BucketStore {
  /** Writes what is new of a bucket; what is only suspected is not kept. */
  readonly keep: (bucket: Bucket) => Promise<void>
  /** What is kept of a bucket; undefined where its workload is unknown. */
  readonly scenarioOf: (bucket: Bucket) => ScenarioInput | undefined
  /** By id. */
  readonly kept: ReadonlyMap<string, KeptFiles>
}

/** How often a reproducer is played until it fails once while it is recorded. */
const maxTries = 3

/** The scenario is played with the time limits of the campaign. */
function withConverge(scenario: ScenarioInput, convergeMs: number | undefined): ScenarioInput {
  if (convergeMs === undefined) return scenario
  const { session } = scenario
  const tolerances = { converge: formatDuration(convergeMs), ...session?.tolerances }
  return { ...scenario, session: { ...session, tolerances } }
}

export function createBucketStore(options: BucketStoreOptions): BucketStore {
  const { corpus, workloads, channel, convergeMs, faultPhaseMs, record } = options
  const kept = new Map<string, KeptFiles>()
  const texts = new Map<string, string>()

  async function recordingOf(
    { rule, schedule }: Bucket,
    workload: Workload,
    name: string,
  ): Promise<string | undefined> {
    for (let attempt = 0; record && attempt < maxTries; attempt++) {
      const file = await corpus.saveRecording(name, async (temporary) => {
        const { failures } = await record({ schedule, workload }, temporary)
        return failures.some((each) => each.rule === rule)
      })
      if (file !== undefined) return file
    }
    return undefined
  }

  const workloadOf = ({ schedule: { workload, trim } }: Bucket): Workload | undefined => {
    const whole = workloads.get(workload)
    return whole && trimWorkload(whole, trim)
  }

  function scenarioOf(bucket: Bucket): ScenarioInput | undefined {
    const workload = workloadOf(bucket)
    if (!workload) return undefined
    const phaseMs = bucket.schedule.trim?.faultPhaseMs ?? faultPhaseMs()
    const written = scenarioOfBucket(
      bucket,
      { workload, channel, faultPhaseMs: phaseMs },
      ruleDescription(bucket.rule),
    )
    return withConverge(written, convergeMs())
  }

  return {
    kept,
    scenarioOf,
    async keep(bucket) {
      const workload = workloadOf(bucket)
      const scenario = scenarioOf(bucket)
      const text = scheduleText(bucket.schedule)
      if (bucket.status === 'suspected' || !workload || !scenario || texts.get(bucket.id) === text)
        return
      texts.set(bucket.id, text)
      const name = reproducerName(bucket)
      const file = await corpus.saveScenario(name, scenario)
      kept.set(bucket.id, { file })
      const recording = await recordingOf(bucket, workload, name)
      if (recording !== undefined) kept.set(bucket.id, { file, recording })
    },
  }
}
