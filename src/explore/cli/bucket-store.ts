/**
 * Keeps buckets in the corpus: the scenario of the smallest reproducer, played on the service as the file that it is, and
 * the recording of a run that failed.
 */
import { compact } from '../../core/base/compact.ts'
import { type Bucket, countsAsFailure, type FileReplays } from '../investigation/bucket.ts'
import { mapConcurrently } from '../../core/base/concurrent-tasks.ts'
import type { BatchEntry } from '../batch/schedule-runner.ts'
import type { ReplayResult } from '../schedules/result.ts'
import { scenarioOfBucket } from '../investigation/scenario-of-bucket.ts'
import { scheduleText } from '../schedules/schedule.ts'
import { trimWorkload, type Workload } from '../workloads/workload.ts'
import { formatDuration } from '../../core/protocol/duration.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { brokenRuleDescription, type KeptFiles } from './build-report.ts'
import { type CorpusWriter, reproducerName } from './corpus.ts'
import type { FilePlayer, FileRun } from './play-kept-file.ts'
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
  /** Plays a kept file; absent when there is no service. */
  readonly playFile?: FilePlayer
}

export interface BucketStore {
  /** Writes what is new of a bucket, where it counts as a failure; `replaces` is what was kept of it before it was shrunk. */
  readonly keep: (bucket: Bucket, replaces?: string) => Promise<void>
  /** What is kept of a bucket; undefined where its workload is unknown. */
  readonly scenarioOf: (bucket: Bucket) => ScenarioInput | undefined
  /** By id. */
  readonly kept: ReadonlyMap<string, KeptFiles>
}

/** How often the file is played; and where that never fails, its schedule until it fails once while it is recorded. */
const maxTries = 3

/** A machine that is busier than in the campaign takes longer for the attempts that the faults must outlast. */
const phaseMargin = 1.5

/** The scenario is played with the time limits of the campaign. */
function withConverge(scenario: ScenarioInput, convergeMs: number | undefined): ScenarioInput {
  if (convergeMs === undefined) return scenario
  const { session } = scenario
  const tolerances = { converge: formatDuration(convergeMs), ...session?.tolerances }
  return { ...scenario, session: { ...session, tolerances } }
}

const unplayed: FileReplays = { failed: 0, played: 0, late: 0 }

export function createBucketStore(options: BucketStoreOptions): BucketStore {
  const { corpus, workloads, channel, convergeMs, faultPhaseMs, record, playFile } = options
  const kept = new Map<string, KeptFiles>()
  const texts = new Map<string, string>()
  /** The latest: whether it was shrunk becomes known later. */
  const abouts = new Map<string, string>()
  const keeps = new Map<string, Promise<void>>()

  /** Of a schedule whose file does not show the failure. */
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

  /**
   * Plays the file so often, at the same time where that is possible, unless the campaign is to end or it was replaced. The
   * recording is that of the first run that failed.
   */
  async function replaysOf(
    { rule }: Bucket,
    name: string,
    file: string,
    isCurrent: () => boolean,
  ): Promise<KeptFiles> {
    const counts: Record<FileRun, number> = { failed: 0, held: 0, late: 0, stopped: 0 }
    async function playOnce(): Promise<string | undefined> {
      if (!playFile || !isCurrent()) return undefined
      return corpus.saveRecording(name, async (temporary) => {
        const run = await playFile(file, rule, temporary)
        counts[run]++
        return run === 'failed' && counts.failed === 1 && isCurrent()
      })
    }
    const recordings = await mapConcurrently(Array.from({ length: maxTries }), maxTries, playOnce)
    const { failed, held, late } = counts
    const recording = recordings.find((each) => each !== undefined)
    return {
      file,
      replays: { failed, played: failed + held + late, late },
      ...compact({ recording }),
    }
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
      { workload, channel, faultPhaseMs: phaseMs * phaseMargin },
      brokenRuleDescription(bucket.failure),
    )
    return withConverge(written, convergeMs())
  }

  async function keepOne(bucket: Bucket): Promise<void> {
    const workload = workloadOf(bucket)
    const scenario = scenarioOf(bucket)
    const text = scheduleText(bucket.schedule)
    if (!countsAsFailure(bucket) || !workload || !scenario) return
    const name = reproducerName(bucket)
    const { about } = scenario
    const hasNews = abouts.get(bucket.id) !== about
    abouts.set(bucket.id, about)
    if (texts.get(bucket.id) === text) {
      const { replays = unplayed } = kept.get(bucket.id) ?? {}
      if (hasNews) await corpus.saveScenario(name, scenario, replays)
      return
    }
    texts.set(bucket.id, text)
    // A smaller reproducer may take its place while it is played.
    const isCurrent = (): boolean => texts.get(bucket.id) === text
    // It is there before it is played: a campaign that is killed has kept what it found.
    const file = await corpus.saveScenario(name, scenario, unplayed)
    kept.set(bucket.id, { file, replays: unplayed })
    const files = await replaysOf(bucket, name, file, isCurrent)
    if (!isCurrent()) return
    kept.set(bucket.id, files)
    const latest = { ...scenario, about: abouts.get(bucket.id) ?? about }
    await corpus.saveScenario(name, latest, files.replays)
    if (files.recording !== undefined || files.replays.played < maxTries) return
    const recording = await recordingOf(bucket, workload, name)
    if (isCurrent()) kept.set(bucket.id, { ...files, ...compact({ recording }) })
  }

  /** Of what was kept before it was shrunk, and of the smaller one, keeps what is proven. */
  async function forget(
    { id, rule }: Bucket,
    replaces: string | undefined,
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    if (replaces === undefined || replaces === id) return
    // Another failure may have led to the same one, which is still played for it.
    await earlier
    await keeps.get(replaces)
    const before = kept.get(replaces)
    if (!before) return
    const isWorse = before.replays.failed > 0 && !kept.get(id)?.replays.failed
    corpus.remove(reproducerName({ rule, id: isWorse ? id : replaces }))
    if (isWorse) kept.set(id, before)
    kept.delete(replaces)
  }

  return {
    kept,
    scenarioOf,
    keep(bucket, replaces) {
      const before = keeps.get(bucket.id)
      const keeping = keepOne(bucket).then(() => forget(bucket, replaces, before))
      keeps.set(bucket.id, keeping)
      return keeping
    },
  }
}
