/** Implements `sparring explore`: runs a campaign against a service, keeps what it finds, returns the exit code. */
import { compact } from '../../core/base/compact.ts'
import { workloadsByName } from '../workloads/workload.ts'
import { endsService, namesDate } from '../schedules/fault-traits.ts'
import { eventChannelsOf } from '../schedules/schedule.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import { formatDuration } from '../../core/protocol/duration.ts'
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import type { Bucket, BucketDetails } from '../investigation/bucket.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { runCampaign } from '../campaign/campaign.ts'
import { longestOwnFaultPhaseMs } from '../campaign/campaign-time.ts'
import { createTaskPool } from '../../core/base/concurrent-tasks.ts'
import { CampaignState } from '../campaign/campaign-state.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { reportLoss } from '../../terminal/cli/losses.ts'
import { withOutputsOfPart } from '../../terminal/cli/shards/shard.ts'
import { chosenShard } from '../../terminal/cli/shards/shard-variables.ts'
import { withUpload } from '../../terminal/cli/shards/upload-results.ts'
import { everySecond } from '../../terminal/cli/progress-line.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import { bucketDetails, buildReport, hasFindings, ruleDescription } from './build-report.ts'
import { type CampaignPlan, planCampaign } from './campaign-plan.ts'
import { createCorpusWriter } from './corpus.ts'
import type { ExploreFlags } from './explore-flags.ts'
import type { CampaignProgress, ExploreReport } from './explore-report.ts'
import { checkPlayed } from '../campaign/check-played.ts'
import { createConcurrencyControl } from './concurrency-control.ts'
import { createExploredService } from './explored-service.ts'
import { createBucketStore } from './bucket-store.ts'
import { isOnScreen, openCampaignDisplay } from './open-display.ts'
import { createFilePlayer } from './play-kept-file.ts'
import { openExploreReports } from './open-reports.ts'
import { openRecordFile } from '../../terminal/cli/shards/record-file.ts'
import { namedFaultsOf } from '../search/fault-choices.ts'
import type { CampaignHeader } from './record-schema.ts'
import { type Calibration, createServiceRunner } from './service-runner.ts'

/**
 * Workloads without faults only are played one by one, each for a minute or so: after the first few hundred schedules.
 */
const batchesBeforeFaultFree = 8

/** The beginning of a campaign in one line. */
function beginning({ header, shard, workloads, stored }: CampaignPlan): string {
  const part = shard ? `, part ${shard.part} of ${shard.of} (${shard.from})` : ''
  const before = stored ? `, continuing ${stored.file}` : ''
  return `exploring your ${header.subject} with ${workloads.length} workloads, seed ${header.seed}${part}${before}`
}

const roundedTo = (ms: number | undefined): string =>
  ms === undefined ? 'unknown' : formatDuration(Math.round(ms / 100) * 100)

/** What was learned, and what a campaign has no time for. */
const calibrationText = (
  { pollMs, reconcileMs, attempts, convergeMs }: Calibration,
  isJudged: boolean,
): string =>
  `poll interval ${roundedTo(pollMs)}, reads again after ${roundedTo(reconcileMs)}, ${attempts ?? 0} attempts: ` +
  `it has ${formatDuration(convergeMs)} to recover` +
  (isJudged
    ? ''
    : ', longer than --max-time leaves: what must come in the end is not judged. Give it more time, or a shorter tolerances.converge that your service keeps')

function openRecords({ out, resume }: ExploreFlags, plan: CampaignPlan, io: Io) {
  if (out === undefined) return undefined
  const file = openRecordFile<CampaignHeader | CampaignRecord>(out, io.cwd, resume === true)
  file.append(plan.header)
  return file
}

/** The longest timer that there is, in ms. */
const maxTimerMs = 2 ** 31 - 1

/** Signals that abort when so much of a campaign's time has passed; those of the same second are one. */
function createDeadlines(passedMs: () => number): (atMs: number) => AbortSignal {
  const bySecond = new Map<number, AbortSignal>()
  return (atMs) => {
    const second = Math.ceil(atMs / 1000)
    const known = bySecond.get(second)
    if (known) return known
    const ended = new AbortController()
    const check = (): void => {
      const left = atMs - passedMs()
      // They keep no process alive.
      if (left > 0) setTimeout(check, Math.min(left, maxTimerMs)).unref()
      else ended.abort()
    }
    check()
    bySecond.set(second, ended.signal)
    return ended.signal
  }
}

/** The sessions are opened by `openService`: over sockets, if it is absent. */
export async function runExplore(
  typed: ExploreFlags,
  io: Io,
  openService = createExploredService,
): Promise<ExitCode> {
  const shard = chosenShard(typed, io.env)
  const flags = withOutputsOfPart(typed, shard)
  return withUpload(flags, shard, io, () => exploreService(flags, io, openService))
}

async function exploreService(
  flags: ExploreFlags,
  io: Io,
  openService: typeof createExploredService,
): Promise<ExitCode> {
  using stopping = listenForStop(io)
  const plan = await planCampaign(flags, io)
  if (plan.header.crashes && flags.start === undefined)
    throw problem(
      'reading --crashes',
      'only who started your service can end it and start it again',
      'Say with --start <command> how it is started.',
    )
  if (plan.header.ghosts && plan.subject !== 'software-service')
    throw problem(
      'reading --ghosts',
      `your service is ${plan.subject}, and only a Software Service has a store with other apps`,
      'Leave it out.',
    )
  const { header, known, stored, workloads, budget, channel } = plan
  const clauses = await loadClauses()
  using reports = await openExploreReports(flags, io, isOnScreen(flags, io) ? [] : ['pretty'])
  if (flags.quiet !== true)
    for (const each of [...plan.notes, beginning(plan)])
      await printLine(io.stderr, `sparring: ${each}`)

  const concurrency = createConcurrencyControl({ ...plan, width: flags.concurrency })
  let notify = (sentence: string): Promise<void> => printLine(io.stderr, `sparring: ${sentence}`)
  await using service = await openService({
    ...plan,
    notify: (sentence) => void notify(sentence),
    start: flags.start,
    reset: flags.reset,
    maxSessions: concurrency.sessions,
    furtherSessions: concurrency.further,
    waitSeconds: flags['wait-for-subject'] ?? (flags.start === undefined ? 10 : 30),
    io,
    signal: stopping.signal,
  })
  const records = openRecords(flags, plan, io)
  let tookMs = (): number => 0
  const deadline = createDeadlines(() => tookMs())
  const over = budget.maxMs === undefined ? [] : [deadline(budget.maxMs)]
  const interrupted = AbortSignal.any([stopping.signal, service.signal])
  const enough = AbortSignal.any([interrupted, ...over])
  const runner = createServiceRunner({ plan, service, concurrency, deadline, enough })
  const state = new CampaignState()
  const bucketStore = createBucketStore({
    ...runner,
    playFile: createFilePlayer({ plan, service, start: flags.start, io, enough }),
    corpus: createCorpusWriter(plan.corpus, io.cwd),
    workloads: workloadsByName(workloads),
    channel,
  })
  const reported = {
    header,
    workloads: workloadsByName(workloads),
    clauses,
    kept: bucketStore.kept,
  }
  const details = (bucket: Bucket): BucketDetails => bucketDetails(bucket, reported)
  const parts = { plan, bucketStore, runner, service, stopping, details }
  await using display = await openCampaignDisplay(flags, parts, io)
  notify = display.say
  const now = (): number => performance.now() - display.waitedMs()
  const began = now()
  tookMs = () => now() - began

  /** Recordings take sessions of their own: the campaign does not wait for them before its end. */
  const keeping = createTaskPool()
  async function keep(bucket: Bucket, replaces?: string): Promise<void> {
    try {
      await bucketStore.keep(bucket, replaces)
    } catch (error) {
      // The scenario is kept, and there was no time for its recording.
      if (enough.aborted && error === enough.reason) return
      if (!(error instanceof Problem) || service.unavailable()) throw error
      await display.say(error.message)
    }
  }

  const progressOf = (record: CampaignRecord): CampaignProgress => ({
    record,
    state,
    tookMs: tookMs(),
    width: runner.width() * runner.sessions(),
    activity: service.activity(),
  })
  let latest: CampaignRecord | undefined
  // A session may take a minute.
  using _signs = everySecond(() => {
    if (latest) display.show(progressOf(latest))
  })

  async function onRecord(record: CampaignRecord): Promise<void> {
    records?.append(record)
    latest = undefined
    display.clear()
    await reports.writeRun(progressOf(record))
    display.show(progressOf(record))
    if (record.type !== 'end') latest = record
    if (record.type === 'space') {
      const learned = await runner.calibrate()
      const { maxMs = Number.POSITIVE_INFINITY } = budget
      const isJudged =
        tookMs() + runner.faultPhaseMs() / plan.configuration.speed + runner.judgingMs() < maxMs
      if (learned) await display.say(calibrationText(learned, isJudged))
    }
    if (record.type === 'bucket') {
      // What is certain is proven before there is a smaller one, for which there may be no time.
      const { unfinished, id } = record.bucket
      const bucket = unfinished ? record.bucket : state.buckets.get(id)
      if (bucket) keeping.start(() => keep(bucket, record.replaces))
    }
    await display.betweenBatches()
  }

  const reportOf = (halted?: string): ExploreReport => ({
    ...buildReport({ ...reported, state, known, tookMs: tookMs() }),
    ...(halted === undefined ? {} : { halted }),
    ...(stopping.reason() === undefined ? {} : { interrupted: true as const }),
  })

  async function end(report: ExploreReport): Promise<void> {
    const wrong = await records?.close()
    await display.end(report)
    if (wrong !== undefined) await reportLoss(io, wrong)
  }

  try {
    await runCampaign({
      seed: header.seed,
      channels: eventChannelsOf(channel, plan.subject),
      workloads,
      runner,
      state,
      maxDelayMs: runner.faultPhaseMs,
      judgingMs: runner.judgingMs,
      maxPhaseMs: longestOwnFaultPhaseMs(budget.maxMs) * plan.configuration.speed,
      isPossible: (fault) =>
        (plan.configuration.speed === 1 || !namesDate(fault)) &&
        (header.crashes === true || !endsService(fault)),
      namedFaults: namedFaultsOf(header),
      batchesBeforeFaultFree,
      budget,
      known: known.map(({ schedule }) => schedule),
      now,
      kindOf: (rule) => ruleDescription(rule)?.kind ?? 'liveness',
      deadline,
      onRecord,
      enough: interrupted,
      ...compact({ groupSizes: header.groupSizes }),
      ...(plan.shard ? { shard: plan.shard } : {}),
      ...(stored ? { resume: stored.records } : {}),
    })
    // What was interrupted while it was shrunk is kept as it is.
    for (const bucket of state.buckets.values()) keeping.start(() => keep(bucket))
    await keeping.allEnded()
    if (service.unavailable() && stopping.reason() === undefined) throw service.unavailable()
    if (!interrupted.aborted && !hasFindings(state))
      checkPlayed(state, {
        workloads: plan.workloads.length,
        isPart: plan.shard !== undefined,
        channel,
      })
  } catch (error) {
    display.clear()
    const unavailable = service.unavailable()
    // Finish the begun reports: half a document is unreadable, and what was found stays reported.
    const halted =
      unavailable?.message ?? `Sparring: ${error instanceof Error ? error.message : String(error)}`
    const report = reportOf(halted)
    await reports.writeReport(report).catch(() => undefined)
    await end(report)
    if (!unavailable) throw error
    await printLine(io.stderr, `sparring: ${unavailable.message}`)
    for (const line of unavailable.output) await printLine(io.stderr, `  | ${escapeControls(line)}`)
    return exitCode.unreachable
  }
  display.clear()
  const report = reportOf()
  await reports.writeReport(report)
  await end(report)
  if (report.interrupted) return exitCode.interrupted
  return hasFindings(report.state) ? exitCode.failed : exitCode.done
}
