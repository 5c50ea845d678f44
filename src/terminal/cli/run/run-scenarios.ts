/** Implements `sparring run`: loads scenarios, plays and reports the runs one by one, returns the exit code. */
import { compact } from '../../../core/base/compact.ts'
import { isInconclusive, isInconclusiveVerdict } from '../../../core/rules/invariants/verdict.ts'
import { buildVersion } from '../../../core/runtime/version.ts'
import { type Clauses, clausesOf, loadClauses } from '../../../core/protocol/clause.ts'
import { problem } from '../../../core/base/problem.ts'
import { compareOutcomes } from '../../../core/scenario/compare-outcomes.ts'
import type { ScenarioFailure, ScenarioOutcome } from '../../../core/scenario/outcome.ts'
import { type Shard, withOutputsOfPart } from '../shards/shard.ts'
import type { ExitCode } from '../exit-code.ts'
import { type Io, printLine } from '../io.ts'
import { sessionPorts, reportLoss } from '../losses.ts'
import { readConfigurationAndFlags } from '../session-options.ts'
import { chosenShard } from '../shards/shard-variables.ts'
import { withUpload } from '../shards/upload-results.ts'
import { listenForStop, type StopSignal } from '../stop-signal.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { rerunCommand } from './rerun-command.ts'
import {
  createExternalEnvironment,
  type EnvironmentResult,
  type RunEnvironment,
} from './external-environment.ts'
import type { SessionCollector } from './collect-sessions.ts'
import { loadScenarios } from './load-scenarios.ts'
import { openReportWriters, type ReportWriters, wantedReporters } from './report-writers.ts'
import { exitCodeOf, unstableTitles } from './report-result.ts'
import { type PlannedRun, planRuns, type RunPlan, shiftedSeedNotice } from './plan.ts'
import {
  type LocatedFailure,
  type RunReport,
  type ScenarioReport,
  type LocatedRule,
  withClaimsRequired,
} from './report.ts'
import { runReporters } from './reporters/catalogue.ts'
import type { RunOptions } from './run-flags.ts'
import type { ConfigurationInput } from '../../../core/session-api/configuration/schema.ts'
import type { FeatureSwitch } from '../../../core/protocol/operation.ts'
import { hostsCapability, neededCapabilities } from '../../../core/scenario/unused-capability.ts'
import type { ScenarioRun } from '../../../core/scenario/runs.ts'
import type { Scenario } from '../../../core/scenario/schema.ts'
import { playRun } from '../../../core/scenario/play.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { openSession } from '../../../core/session/open-session.ts'
import { createRunProgress, type RunProgress } from './run-progress.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { handleInOrder, mapConcurrently } from '../../../core/base/concurrent-tasks.ts'
import type { SessionReport } from '../../page/session/report-content.ts'
import { openRecordFile } from '../shards/record-file.ts'
import {
  endOfReport,
  recordOfRun,
  type RunHeader,
  runHeaderOf,
  runOfRecord,
  type RunRecord,
} from './run-record.ts'
import { resumedResults } from './stored-runs.ts'

/** Writes the records of a run as each scenario ends, and knows the results that need not be played again. */
interface RunRecords {
  /** What the user should know, as a sentence. */
  readonly note: string | undefined
  /** The result of an earlier time. */
  readonly resumed: (one: PlannedRun, total: number) => RunReport | undefined
  /** Of an earlier time it is in the file already. */
  readonly append: (place: number, run: RunReport) => void
  /** Writes the rest; returns the problem when not everything could be written. */
  readonly end: (report: ScenarioReport) => Promise<string | undefined>
}

const none: RunRecords = {
  note: undefined,
  resumed: () => undefined,
  append: () => undefined,
  end: () => Promise.resolve(undefined),
}

async function openRunRecords(
  { out, resume, repeat = 1 }: Pick<RunOptions, 'out' | 'resume' | 'repeat'>,
  plan: RunPlan,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<RunRecords> {
  if (out === undefined && resume)
    throw problem(
      'reading --resume',
      'nothing says which run is continued',
      'Name its file with --out.',
    )
  if (out === undefined) return none
  const header = runHeaderOf(plan, repeat)
  const before = resume ? await resumedResults(out, cwd, header, plan) : undefined
  const file = openRecordFile<RunHeader | RunRecord>(out, cwd, resume === true)
  file.append(header)
  return {
    note:
      before && `continuing ${out}: ${pluralise(before.size, 'run')} of it are not played again`,
    resumed({ place, number }, total) {
      const result = before?.get(place)
      return result && runOfRecord(result.run, number, total)
    },
    append(place, run) {
      const record = before?.has(place) ? undefined : recordOfRun(place, run)
      if (record) file.append(record)
    },
    end(report) {
      file.append(endOfReport(report))
      return file.close()
    },
  }
}

/** Environment without a subject: we play every role in this process, by default on the virtual clock. */
const createInProcessEnvironment =
  (io: Io): RunEnvironment =>
  async ({ loaded, input, configuration }, { onStep, onPlayed, enough: signal }) => {
    const { run } = loaded
    const { subject: _subject, ...rest } = input
    await using session = await openSession({
      ...rest,
      clock: run.scenario.clock ?? 'virtual',
      listen: false,
      automatic: false,
      ...sessionPorts(io),
    })
    const { tolerances } = configuration
    const outcome = await playRun(run, session, {
      sleep: abortableSleep,
      onStep,
      enough: signal,
      tolerances,
    })
    await onPlayed(session, outcome)
    return { kind: 'played', outcome }
  }

/** Why a run needs the address of the service; undefined where it only polls us. */
function callsService(
  { subject, session }: Scenario,
  channel: ScenarioRun['channel'],
): string | undefined {
  if (subject !== 'software-service') return `it calls your service as ${subject}`
  if (channel !== 'polling') return `it sends events by webhook (${channel})`
  const hosted = neededCapabilities({ session }).find((each) => hostsCapability(each, subject))
  return hosted && `it calls your service about ${hosted}`
}

/** Selects the environment of a run; replaced by tests of this repository. */
export type EnvironmentSelector = (
  planned: PlannedRun,
) => RunEnvironment | { readonly skip: string }

/** @throws Problem where runs that are played side by side would share what only one can have. */
function refuseShared(
  file: string,
  { start, port = 0 }: Pick<RunOptions, 'start' | 'port'>,
  { subject, recording }: Pick<PlannedRun['configuration'], 'subject' | 'recording'>,
): void {
  const shared = [
    {
      when: start === undefined || subject.url !== undefined,
      wrong: 'be played against one service',
      remedy: 'let --start start one for each run, without --subject',
    },
    {
      when: recording.file !== undefined,
      wrong: 'be written into one recording',
      remedy: '--record',
    },
    { when: port !== 0, wrong: `all listen at port ${port}`, remedy: '--port' },
  ].find(({ when }) => when)
  if (shared)
    throw problem(
      `playing ${file} with --parallel`,
      `runs side by side would ${shared.wrong}`,
      `Leave out --parallel, or ${shared.remedy}.`,
    )
}

function defaultEnvironments(
  options: RunOptions,
  io: Io,
  { capabilities }: ConfigurationInput,
): EnvironmentSelector {
  const { start } = options
  const waitSeconds = options['wait-for-subject'] ?? (start === undefined ? 10 : 30)
  const external = createExternalEnvironment({ start, waitSeconds, io })
  const inProcess = createInProcessEnvironment(io)
  return ({ loaded, configuration }) => {
    const { subject } = loaded.run.scenario
    const hasService = options.start !== undefined || configuration.subject.url !== undefined
    if (subject === 'none')
      return hasService
        ? { skip: 'we play every role in it (subject: none): it says nothing about your service' }
        : inProcess
    const withheld = neededCapabilities(loaded.run.scenario).find(
      (each) => capabilities?.[each] === false,
    )
    if (withheld !== undefined)
      return { skip: `it needs ${withheld}, and capabilities.${withheld} is false` }
    const { channel } = loaded.run
    if ((options.parallel ?? 1) > 1) refuseShared(loaded.file, options, configuration)
    if (hasService) return external
    if (options.as !== undefined) {
      const because = callsService(loaded.run.scenario, channel)
      return because === undefined
        ? external
        : { skip: `${because}, and your service has no address: --subject says it` }
    }
    throw problem(
      `playing ${loaded.file}`,
      'no service to test is given',
      'Say it with --start <command>, with --subject <url>, or with --as <role> for one that polls us.',
    )
  }
}

const locate = (
  { loaded }: PlannedRun,
  failures: readonly ScenarioFailure[],
  clauses: Clauses,
): readonly LocatedFailure[] =>
  failures.map((failure) => ({
    ...failure,
    ...compact({
      place: loaded.placeOf(failure.path),
      clauses: failure.verdict && clausesOf(failure.verdict.clauses, clauses),
    }),
  }))

const locateRules = (
  { loaded }: PlannedRun,
  { unexercised }: ScenarioOutcome,
): readonly LocatedRule[] =>
  unexercised.map((rule) => ({ ...rule, ...compact({ place: loaded.placeOf(rule.path) }) }))

interface PlayContext {
  readonly options: RunOptions
  readonly planned: readonly PlannedRun[]
  readonly records: RunRecords
  readonly selectEnvironment: EnvironmentSelector
  readonly reportWriters: ReportWriters<RunReport, ScenarioReport>
  readonly progress: RunProgress
  readonly stopping: StopSignal
  /** Collects finished runs, so that they are reported even if a later run throws. */
  readonly runs: RunReport[]
  readonly clauses: Clauses
  /** What the configuration says that the service has. */
  readonly capabilities: ConfigurationInput['capabilities']
  /** Absent where no report shows the sessions. */
  readonly sessions: SessionCollector | undefined
}

type Halt = Extract<EnvironmentResult, { kind: 'halted' }>

/** Returns why the remaining runs were not played; undefined when all were. */
async function playAll(context: PlayContext): Promise<Halt | undefined> {
  const { options, planned, records, selectEnvironment, reportWriters } = context
  const { progress, stopping, runs, clauses, sessions, capabilities } = context
  const groups = new Map<string, [ScenarioOutcome, ...ScenarioOutcome[]]>()

  function reportOf(one: PlannedRun, tookMs: number): Omit<RunReport, 'result' | 'failures'> {
    const { number, loaded, repetition, seed } = one
    const { file, run } = loaded
    const again = rerunCommand(one, options)
    return {
      number,
      total: planned.length,
      file,
      title: run.title,
      repetition,
      seed,
      tookMs,
      again,
    }
  }

  async function reportRun({ place }: PlannedRun, played: RunReport): Promise<RunReport> {
    const run = options['require-exercised'] ? withClaimsRequired(played) : played
    runs.push(run)
    records.append(place, run)
    progress.clear()
    await reportWriters.writeRun(run)
    return run
  }

  /** Compares a run with the first of its group, which must have the same outcome. */
  function compareWithGroup(
    { loaded, repetition }: PlannedRun,
    outcome: ScenarioOutcome,
  ): readonly ScenarioFailure[] {
    const { group } = loaded.run
    if (group === undefined) return []
    const key = `${loaded.file} ${group} ${repetition}`
    const [first, ...rest] = [...(groups.get(key) ?? []), outcome]
    groups.set(key, [first, ...rest])
    return rest.length === 0 ? [] : compareOutcomes([first, outcome])
  }

  const bailed = new AbortController()
  const enough = AbortSignal.any([stopping.signal, bailed.signal])
  let halt: Halt | undefined

  /** Undefined where nothing is played any more. */
  async function play(one: PlannedRun): Promise<Played | undefined> {
    if (enough.aborted) return undefined
    const before = records.resumed(one, planned.length)
    if (before) return { kind: 'known', run: before }
    const environment = selectEnvironment(one)
    if ('skip' in environment) {
      const because = environment.skip
      return {
        kind: 'known',
        run: { ...reportOf(one, 0), result: 'skipped', because, failures: [] },
      }
    }
    const { title } = one.loaded.run
    progress.step(title, 'begins')
    const begin = performance.now()
    let session: SessionReport | undefined
    const played = await environment(one, {
      onStep: (text) => progress.step(title, text),
      enough,
      onPlayed: async (api, { result }) => {
        session = await sessions?.collect(api, result === 'failed')
      },
    })
    const tookMs = performance.now() - begin
    return played.kind === 'halted' ? played : { ...played, tookMs, session }
  }

  function runOf(one: PlannedRun, played: OutcomeOfRun): RunReport {
    const { outcome, output, hint, tookMs, session } = played
    const groupDifferences = compareWithGroup(one, outcome)
    const { unused, isOccasionMissed } = outcome
    const base = { ...reportOf(one, tookMs), unexercised: locateRules(one, outcome) }
    if (unused && capabilities?.[unused] !== true && groupDifferences.length === 0)
      return { ...base, result: 'skipped', because: unusedReason(unused, outcome), failures: [] }
    if (isOccasionMissed && groupDifferences.length === 0)
      return { ...base, result: 'skipped', because: missedOccasion, failures: [] }
    const isStopped = outcome.result === 'stopped'
    // What was awaited when it was stopped might have come.
    const shown = outcome.failures.filter(({ kind }) => !isStopped || kind === 'invariant')
    const failures = locate(one, [...shown, ...groupDifferences], clauses)
    const result = failures.length > 0 && !isStopped ? 'failed' : outcome.result
    return {
      ...base,
      ...(groupDifferences.length > 0 ? { again: rerunCommand(one, options, planned) } : {}),
      outcome,
      failures,
      result,
      ...compact({ because: undecidedReason(result, outcome), output, hint, session }),
    }
  }

  async function report(one: PlannedRun, played: Played): Promise<void> {
    if (played.kind === 'halted') halt = played
    else {
      const run = played.kind === 'known' ? played.run : runOf(one, played)
      const { result } = await reportRun(one, run)
      if (!options.bail || (result !== 'failed' && run.result !== 'stopped')) return
    }
    bailed.abort()
  }

  const reportInOrder = handleInOrder(planned, report, bailed.signal)
  await mapConcurrently(planned, options.parallel ?? 1, async (one) => {
    const played = await play(one)
    if (!played) return
    progress.ended(one.loaded.run.title)
    await reportInOrder(one, played)
  })
  progress.clear()
  return halt
}

type OutcomeOfRun = Extract<EnvironmentResult, { kind: 'played' }> & {
  readonly tookMs: number
  readonly session: SessionReport | undefined
}

/** What is to be reported of a run: `known` without being played. */
type Played = { readonly kind: 'known'; readonly run: RunReport } | OutcomeOfRun | Halt

const unusedReason = (capability: FeatureSwitch, { failures: [first] }: ScenarioOutcome): string =>
  `it needs ${capability}, of which your service made no call (${first?.because}): capabilities.${capability} in the configuration says whether it has it`

const missedOccasion = 'what it is about did not come about, by no mistake of your service' as const

function undecidedReason(
  result: RunReport['result'],
  { verdicts }: ScenarioOutcome,
): string | undefined {
  if (result === 'stopped') return 'it was interrupted'
  const doubtful = result === 'inconclusive' ? verdicts.find(isInconclusiveVerdict) : undefined
  const finding = doubtful?.findings.find(isInconclusive)
  return finding && `${doubtful?.id} is inconclusive: ${finding.because}`
}

/** A random seed: the subject may remember ids of an earlier run, even when we restart it for each. */
const freshSeed = (): number => 1 + Math.floor(Math.random() * 1_000_000)

/** Only for the HTML report: reading a session takes time. */
async function openSessionCollector(
  wanted: readonly string[],
): Promise<SessionCollector | undefined> {
  if (!wanted.some((each) => each.split('=')[0] === 'html')) return undefined
  const { createSessionCollector } = await import('./collect-sessions.ts')
  return createSessionCollector()
}

export async function runScenarios(
  typed: RunOptions,
  io: Io,
  environments?: EnvironmentSelector,
): Promise<ExitCode> {
  const isPart = typed.shard !== undefined || typed.shards !== undefined
  const shard = isPart ? chosenShard(typed, io.env) : undefined
  const options = withOutputsOfPart(typed, shard)
  return withUpload(options, shard, io, () => playScenarios(options, shard, io, environments))
}

async function playScenarios(
  options: RunOptions,
  shard: Shard | undefined,
  io: Io,
  environments?: EnvironmentSelector,
): Promise<ExitCode> {
  using stopping = listenForStop(io)
  const begin = performance.now()
  const { input: base } = await readConfigurationAndFlags(options, io.cwd)
  const loaded = await loadScenarios(options.scenario, io.cwd, {
    otherwise: options.channel ?? base.counterparts?.['ordering-application']?.channel,
  })
  const plan = planRuns(loaded, {
    ...options,
    shard,
    mayBeEmpty: options.out !== undefined,
    base,
    ...(environments ? {} : { freshFrom: freshSeed() }),
  })
  const { runs: planned, notSelected } = plan
  const selectEnvironment = environments ?? defaultEnvironments(options, io, base)
  // A missing subject is reported before any report is written.
  for (const one of planned) selectEnvironment(one)
  const style = { color: io.color, quiet: options.quiet === true }
  const records = await openRunRecords(options, plan, io)
  const notes = style.quiet ? [] : [shiftedSeedNotice(planned), records.note]
  for (const note of notes) if (note !== undefined) await printLine(io.stderr, `sparring: ${note}`)
  const wanted = wantedReporters(options)
  using reportWriters = await openReportWriters(wanted, io, style, runReporters)
  using progress = createRunProgress(planned.length, io, style.quiet)
  const runs: RunReport[] = []
  const clauses = await loadClauses()
  const sessions = await openSessionCollector(wanted)
  const reportOf = (halted: string | undefined): ScenarioReport => ({
    version: buildVersion(),
    runs,
    tookMs: performance.now() - begin,
    unstable: unstableTitles(runs, options.repeat ?? 1),
    clauses,
    notSelected,
    ...compact({ halted }),
    ...(stopping.reason() === undefined ? {} : { interrupted: true as const }),
  })
  const context = {
    options,
    planned,
    records,
    selectEnvironment,
    reportWriters,
    progress,
    stopping,
    runs,
    clauses,
    sessions,
    capabilities: base.capabilities,
  }
  const halt = await playAll(context).catch(async (error: unknown) => {
    progress.clear()
    // Finish the begun reports: half a document is unreadable, and finished runs stay reported.
    const halted = `Sparring: ${error instanceof Error ? error.message : String(error)}`
    await reportWriters.writeReport(reportOf(halted)).catch(() => undefined)
    const wrong = await records.end(reportOf(halted))
    if (wrong !== undefined) await reportLoss(io, wrong)
    throw error
  })
  progress.clear()
  const report = reportOf(halt && `your service: ${halt.because}. ${halt.remedy}`)
  await reportWriters.writeReport(report)
  const wrong = await records.end(report)
  if (wrong !== undefined) await reportLoss(io, wrong)
  if (halt) {
    await printLine(io.stderr, `sparring: playing against ${report.halted}`)
    for (const line of halt.output ?? []) await printLine(io.stderr, `  | ${escapeControls(line)}`)
  }
  return exitCodeOf(report)
}
