/** Searches the smallest part of a recording that fails in the same way, by the drivers that can show the failure. */
import { randomInt } from 'node:crypto'
import { compact } from '../../../core/base/compact.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { isCrash } from '../../from-recording/history.ts'
import { drivingExchanges } from '../../from-recording/decisions.ts'
import {
  findSmallestPart,
  type ReplayTrial,
  type SmallestPart,
} from '../../playback/replay/minimise.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import type { MinimiseStage } from '../../minimise/minimise-options.ts'
import { listFailures, type ListedFailure } from '../../minimise/failure-list.ts'
import { createDecisiveTest, failureOutcome } from '../../minimise/replay-failure.ts'
import { isAddress } from '../../../terminal/cli/allowed-target.ts'
import { trialTimeoutMs } from '../../minimise/reaction-time.ts'
import { isHostIssued, isTokenRefused } from '../../difference/candidate-index.ts'
import { bringsEvents } from '../../../core/traffic/polling.ts'
import { formatDuration } from '../../../core/protocol/duration.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { v2OperationOf } from '../../../core/protocol/v1/operation-names.ts'
import type { Role } from '../../../core/protocol/role.ts'
import type { Exchange, Party } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import {
  type DriverName,
  recordedReport,
  type ReplayReport,
} from '../../../core/traffic/recording/replay-report.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, withoutStderr } from '../../../terminal/cli/io.ts'
import { parseDurationArgument } from '../../../terminal/cli/parse-duration-argument.ts'
import { prepareOwnService } from '../replay/driver.ts'
import { driversByName } from '../replay/play-recording.ts'
import { failureChoice, failureLines } from '../replay/failure-choice.ts'
import { parseReplayPace, shorterGapMs } from '../replay/flag-values.ts'
import type { MinimiseFlags } from './flags.ts'
import { isSameFailure, replayExitCode } from '../../minimise/failure-signature.ts'
import { availableParallelism } from 'node:os'
import { measureEventLoopLag } from '../../../terminal/cli/event-loop-lag.ts'

/** How many services may be tried side by side: by cores, and one alone while this process is late itself. */
const maxParallel = 4
/** In milliseconds: a process that is so late distorts what it measures of a service. */
const maxLateMs = 250

interface MeasuredLoad extends Disposable {
  /** By the lateness since it was asked last. */
  readonly parallel: () => number
}

function measureLoad(cores: number = availableParallelism()): MeasuredLoad {
  const lag = measureEventLoopLag()
  return {
    parallel: () => (lag.latestMs() > maxLateMs ? 1 : Math.min(maxParallel, Math.max(1, cores))),
    [Symbol.dispose]: () => lag[Symbol.dispose](),
  }
}

/** Share of the time limit that one replay at the pace of the recording may take. */
const maxOwnPaceShare = 1 / 3
const defaultReplays = 60
const defaultLimitMs = 5 * 60_000
/** In milliseconds: a search that has taken so long leaves bodies as they are. */
const bodiesUntilMs = 60_000

/** A call of the service by others, other than for tokens and manifests. */
const isSent = (exchange: RecordedExchange): boolean =>
  exchange.to.party === 'subject' && !isHostIssued(exchange)

/** The drivers to try, one after the other, until one shows a failure. */
export function trialDrivers(
  { driver: named, to, start }: Pick<MinimiseFlags, 'driver' | 'to' | 'start'>,
  { exchanges }: Pick<RecordingContent, 'exchanges'>,
): readonly DriverName[] {
  if (named) return [named]
  // No other ends the service where the recording does.
  if (start !== undefined && exchanges.some(isCrash)) return ['partner']
  const isPolled = exchanges.some(bringsEvents)
  const isPushed = (to ?? start) !== undefined && exchanges.some(isSent)
  // What it polls for comes only where our counterparts decide, whatever else is sent to it.
  if (isPolled) return ['partner', isPushed ? 'client' : 'server']
  return isPushed ? ['client', 'partner'] : ['partner']
}

const idsOf = (exchanges: RecordingContent['exchanges']): ReadonlySet<string> =>
  new Set(exchanges.map(({ recordId }) => recordId))

/** The exchanges that a driver initiates, by record id. */
const drivingIds: Readonly<Record<DriverName, (content: RecordingContent) => ReadonlySet<string>>> =
  {
    partner: (content) => drivingExchanges(content).all,
    server: ({ exchanges }) => idsOf(exchanges.filter(bringsEvents)),
    client: ({ exchanges }) => idsOf(exchanges.filter(({ to }) => to.party === 'subject')),
  }

/** Parts of a recording for a replay by decisions: documents of orders are taken from it, and no answer. */
function decisionParts(content: RecordingContent) {
  const documents = content.exchanges.filter(
    ({ operation }) => operation !== undefined && v2OperationOf(operation) === 'getOrder',
  )
  const { plain: plainDrives, faults, spareable } = drivingExchanges(content)
  return { neededAnswers: idsOf(documents), plainDrives, faults, spareable }
}

export interface FailureSearchInput {
  readonly flags: MinimiseFlags
  readonly io: Io
  readonly content: RecordingContent
  readonly rules: readonly Rule[]
  readonly stopped: AbortSignal
  readonly onProgress: (text: string) => void
  readonly onStage: (stage: MinimiseStage) => void
  /** The failures that a replay of the whole shows, one line each. */
  readonly onFailures: (lines: readonly string[]) => void
}

export interface FoundFailure extends SmallestPart {
  readonly driver: DriverName
  /** How long a trial waited for the next call of the service, in milliseconds. */
  readonly settleMs: number
}

/** The reason why the first replay showed no failure, when it is not the behaviour of the service. */
function reasonUnseen(
  { flags, stopped }: Pick<FailureSearchInput, 'flags' | 'stopped'>,
  limit: AbortSignal,
  [common]: readonly ListedFailure[],
): Problem | undefined {
  const attempted = `minimising ${flags.recording}`
  if (stopped.aborted)
    return problem(
      attempted,
      'it was interrupted before a failure had been seen',
      'Nothing was written.',
      exitCode.interrupted,
    )
  if (limit.aborted)
    return problem(
      attempted,
      'the first replay was not over when the time was',
      'Give it more with --max-time, or let it go faster with --speed asap.',
    )
  if (common)
    return problem(
      attempted,
      `the fixed service fails in the same way: ${common.text}`,
      'Name another failure with --failure or --at.',
      exitCode.unstable,
    )
  return undefined
}

/** The reason why the service cannot be replayed to; undefined when it can. */
function unreachableReason(report: ReplayReport, recording: string): Problem | undefined {
  if (replayExitCode(report) !== exitCode.unreachable) return undefined
  const { because = 'it did not let us in' } =
    report.exchanges.find(({ standing }) => standing === 'error' || standing === 'auth') ?? {}
  return problem(
    `minimising ${recording}`,
    `your service cannot be replayed to: ${because}`,
    'Start it, and see that it takes our credentials.',
    exitCode.unreachable,
  )
}

const isCall = (exchange: Exchange | undefined): boolean =>
  exchange?.from.party === 'subject' && !isHostIssued(exchange)

/** A service that does not find us fails for another reason than it did. */
function checkCalls(
  { exchanges, driver, interrupted }: ReplayReport,
  part: RecordingContent,
): void {
  const calls = part.exchanges.filter(isCall).length
  const reached = driver === 'server' || exchanges.some(({ live }) => live?.to.party === 'subject')
  if (interrupted || !reached || calls === 0 || exchanges.some(({ live }) => isCall(live))) return
  throw problem(
    `minimising ${part.file}`,
    `your service made no calls, and made ${pluralise(calls, 'call')} when this was recorded`,
    'Tell it where we listen: the line above says where, and --port moves it.',
    exitCode.unreachable,
  )
}

/** How long the recording takes at its own pace, in ms of the clock that a driver plays it on. */
function ownPaceMs({ exchanges }: RecordingContent, flags: MinimiseFlags): number {
  const { maxGapMs = Infinity } = parseReplayPace(flags)
  const starts = exchanges.map(({ startedAt }) => startedAt)
  return starts
    .slice(1)
    .reduce(
      (sum, at, index) => sum + Math.min(maxGapMs, Math.max(0, at - (starts[index] ?? at))),
      0,
    )
}

/** A failure that the recording shows is played short and fast first, any other at the pace of the recording while time allows. */
function pacesOf({ flags, content, onFailures }: FailureSearchInput, limitMs: number) {
  if (flags.speed !== undefined) return ['recorded'] as const
  const ownMs = ownPaceMs(content, flags)
  if (ownMs <= limitMs * maxOwnPaceShare) return ['short', 'asap', 'recorded'] as const
  onFailures([
    `at its own pace the recording takes ${formatDuration(Math.round(ownMs / 1000) * 1000)}: it is played as fast as causality allows (--speed original, --max-gap and --max-time change that)`,
  ])
  return ['short', 'asap'] as const
}

const choiceOf = (flags: MinimiseFlags, { exchanges }: RecordingContent) =>
  failureChoice({ ...flags, ...compact({ preferred: exchanges[flags.place ?? -1]?.recordId }) })

/** The failure among those that the recording shows; a number is that in the list of a replay. */
const isShownIn = (flags: MinimiseFlags, content: RecordingContent): boolean =>
  !/^\d+$/.test(flags.failure ?? '') &&
  choiceOf(flags, content)(listFailures(recordedReport(content))) !== undefined

/** A replay from which nothing follows. */
const provingNothing = (report: ReplayReport): ReplayReport => ({
  ...report,
  exchanges: [],
  failedRules: [],
  interrupted: true,
})

interface SearchedWith {
  readonly name: DriverName
  readonly seeks: 'recorded' | 'other'
  readonly limit: AbortSignal
  readonly paces: ReturnType<typeof pacesOf>
  /** Failures that the fixed service shows as well: they are not what was mended. */
  readonly common: ListedFailure[]
}

async function searchWith(
  { name, seeks, limit, paces, common }: SearchedWith,
  input: FailureSearchInput,
): Promise<FoundFailure> {
  const { flags, io, content, rules, stopped, onProgress, onStage, onFailures } = input
  const driver = await driversByName[name]()
  let sought: ListedFailure | undefined
  const choice = choiceOf(flags, content)
  let isOfBoth: Promise<boolean> | undefined
  const isCommon = ({ signature }: ListedFailure): boolean =>
    common.some((each) => isSameFailure(each.signature, signature))
  const choose = (failures: readonly ListedFailure[]): ListedFailure | undefined => {
    isOfBoth = undefined
    return (sought = choice(failures.filter((each) => !isCommon(each))))
  }
  const maxReplays = flags['max-replays'] ?? defaultReplays
  const settleMs = trialTimeoutMs(content)
  let first: ReplayReport | undefined
  let replays = 0
  let hasCalled = false

  /** A fresh one for each trial; undefined where it runs already. */
  async function prepareService(flag: '--start' | '--fixed') {
    const { start, fixed, config } = flags
    const command = flag === '--start' ? start : fixed
    if (command === undefined || (flag === '--fixed' && isAddress(command))) return undefined
    return prepareOwnService({ command, flag, config, content, io })
  }

  async function replayTo(flag: '--start' | '--fixed', trial: ReplayTrial): Promise<ReplayReport> {
    const { content: part, seed, asap, isEnough, orderId, invariant } = trial
    const gapMs = shorterGapMs(flags, trial)
    await using service = await prepareService(flag)
    // The service ends with the disposal, so not before the replay.
    return await driver.run({
      // A call whose answer was cut away must show.
      flags: {
        ...flags,
        ...(flag === '--fixed' ? { to: flags.fixed } : {}),
        ...service?.target,
        'on-miss': 'fail',
        ...(name === 'client' && part.exchanges.some(isTokenRefused)
          ? { 'faithful-failures': true }
          : {}),
        ...(asap ? { speed: 'asap' } : gapMs === undefined ? {} : { 'max-gap': `${gapMs}ms` }),
      },
      ...compact({ service }),
      // Later trials would print the same messages as the first.
      io: first ? withoutStderr(io) : io,
      content: part,
      seed,
      rules,
      signal: AbortSignal.any([stopped, limit]),
      settleMs,
      orderId,
      invariant,
      ...(isEnough ? { isEnough } : {}),
    })
  }

  /** Whether the fixed service fails like this too: the part has lost the cause, or the failure is of both. */
  async function failsFixed(report: ReplayReport, trial: ReplayTrial): Promise<boolean> {
    if (flags.fixed === undefined || !sought) return false
    const { signature, places } = sought
    const failsAlike = async (other: ReplayTrial): Promise<boolean> => {
      const isEnough = createDecisiveTest({ signature, culprit: places[0]?.recordId ?? '' })
      const fixed = await replayTo('--fixed', { ...other, isEnough })
      return failureOutcome(fixed, signature) === 'fail'
    }
    if (failureOutcome(report, signature) !== 'fail' || !(await failsAlike(trial))) return false
    isOfBoth ??= failsAlike({ ...trial, content })
    if (await isOfBoth) common.push(sought)
    return true
  }

  async function replay(trial: ReplayTrial): Promise<ReplayReport> {
    const { content: part } = trial
    // A replay of the whole that is to show which failures there are.
    const isOpen = seeks === 'other' && part === content
    if (first && sought && !isOpen && common.includes(sought)) return provingNothing(first)
    const size = pluralise(part.exchanges.length, 'exchange')
    onProgress(`minimising: replay ${++replays} of at most ${maxReplays}, of ${size}`)
    const report = await replayTo('--start', trial)
    if (!first) {
      const unreachable = stopped.aborted ? undefined : unreachableReason(report, flags.recording)
      if (unreachable) throw unreachable
    }
    if (name !== 'partner' && !hasCalled) checkCalls(report, part)
    hasCalled ||= report.exchanges.some(({ live }) => isCall(live))
    first ??= report
    return !isOpen && (await failsFixed(report, trial)) ? provingNothing(report) : report
  }

  using load = measureLoad()
  const late = AbortSignal.timeout(bodiesUntilMs)
  const drives = drivingIds[name](content)
  if (drives.size === 0)
    throw problem(
      `minimising ${content.file}`,
      `the driver ${name} has nothing to play in it`,
      `Choose another with --driver: ${trialDrivers({ ...compact({ to: flags.to, start: flags.start }) }, content).join(', ')}.`,
    )
  const found = await findSmallestPart({
    content,
    seed: flags.seed ?? randomInt(2 ** 31),
    maxReplays,
    // One that runs already, on our one port, is replayed to by turns.
    ...(flags.start === undefined || isAddress(flags.fixed ?? '')
      ? {}
      : { parallel: load.parallel }),
    drives,
    choose,
    ...(name === 'partner' ? decisionParts(content) : {}),
    isLate: () => late.aborted,
    onFailures: (failures) => onFailures(failureLines(failures)),
    seeks,
    paces,
    isOver: () => stopped.aborted || limit.aborted,
    replay,
    onStage,
  }).catch((error: unknown) => {
    throw first && error instanceof Problem ? (reasonUnseen(input, limit, common) ?? error) : error
  })
  return { ...found, driver: name, settleMs }
}

/** The recording with the role of the service as its subject, whichever side played it then. */
function withSubject(content: RecordingContent, role: Role | undefined): RecordingContent {
  if (role === undefined) return content
  const relabelled = (party: Party): Party => ({
    ...party,
    party: party.role === role ? 'subject' : party.party === 'subject' ? 'sparring' : party.party,
  })
  return {
    ...content,
    exchanges: content.exchanges.map((each) => ({
      ...each,
      from: relabelled(each.from),
      to: relabelled(each.to),
    })),
  }
}

/** Throws a problem when no driver shows a failure. */
export async function searchFailure(request: FailureSearchInput): Promise<FoundFailure> {
  const { flags } = request
  const content = withSubject(request.content, flags.as)
  const input = { ...request, content }
  const limitMs =
    flags['max-time'] === undefined
      ? defaultLimitMs
      : parseDurationArgument(flags['max-time'], 'reading --max-time')
  const limit = AbortSignal.timeout(limitMs)
  const drivers = trialDrivers(flags, content)
  // What a driver refuses is refused before the first trial, whichever drivers come to theirs.
  for (const name of drivers)
    // The URL of a service that is started is known with each trial.
    (await driversByName[name]()).check(
      flags.start === undefined ? flags : { ...flags, to: 'http://127.0.0.1' },
    )
  const paces = pacesOf(input, limitMs)
  const common: ListedFailure[] = []
  // What the recording shows comes before anything else, by whichever driver it shows.
  const turns = [
    ...(isShownIn(flags, content) ? (['recorded'] as const) : []),
    'other' as const,
  ].flatMap((seeks) => drivers.map((name) => ({ name, seeks, limit, paces, common })))
  for (const [index, turn] of turns.entries())
    try {
      return await searchWith(turn, input)
    } catch (error) {
      const isUnseen = error instanceof Problem && error.exit === exitCode.unstable
      if (!isUnseen || index + 1 === turns.length || limit.aborted) throw error
    }
  throw new Error('there is always a driver')
}
