/** Plays a recording, reports what differs, and returns the exit code; with a dashboard where the caller opens one. */
import { wallTimesOf } from '../../../core/traffic/exchange.ts'
import { compact } from '../../../core/base/compact.ts'
import { randomInt } from 'node:crypto'
import { saveText } from '../../../core/runtime/files/output.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { createDecisiveTest, failureOutcome } from '../../minimise/replay-failure.ts'
import type { TrialOutcome } from '../../minimise/minimise-options.ts'
import {
  type DriverName,
  type FailureSignature,
  recordedReport,
  type ReplayReport,
} from '../../../core/traffic/recording/replay-report.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import { createProgressLine, everySecond } from '../../../terminal/cli/progress-line.ts'
import { openComparisonReport, writeComparisonReport } from '../compare/write-report.ts'
import { reportOfReplay } from '../compare/comparison-report.ts'
import { trialTimeoutMs } from '../../minimise/reaction-time.ts'
import { listFailures } from '../../minimise/failure-list.ts'
import { failureChoice, failureLines } from './failure-choice.ts'
import { loadUserRules, rulesFileOf, saveRules } from '../compare/rules.ts'
import { buildVersion } from '../../../core/runtime/version.ts'
import { listenForStop } from '../../../terminal/cli/stop-signal.ts'
import { editFlags, readEdits, unplayedEdits } from './edits.ts'
import {
  type DriverInput,
  prepareOwnService,
  recordedSpeedOf,
  type ReplayDriver,
  type ReplayScreen,
  unrepeatedCrashes,
} from './driver.ts'
import { isCrash } from '../../from-recording/history.ts'
import type { ReplayFlags } from './flags.ts'
import { checkStart, parseReplayPace, shorterGapMs } from './flag-values.ts'
import {
  readRecordingContent,
  reportUnreadLines,
  withRecordedDialect,
} from './recording-content.ts'
import { isSameFailure, signatureText } from '../../minimise/failure-signature.ts'
import { formatDuration } from '../../../core/protocol/duration.ts'
import type { RecordedClock } from '../../../core/traffic/recording/format.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { PlaybackPace } from '../../../core/engine/playback/pace.ts'
import { relative, resolve } from 'node:path'
import { inferRules, type ReplayPair, type UnstablePlace } from '../../difference/infer-rules.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { createRuleBook } from '../../difference/protocol-rules.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { isTokenRefused } from '../../difference/candidate-index.ts'
import { rejudgeReport } from '../../minimise/judge-exchange.ts'

/** Every driver by its name, imported on first use. */
export const driversByName: Readonly<Record<DriverName, () => Promise<ReplayDriver>>> = {
  client: async () => (await import('./client.ts')).clientDriver,
  server: async () => (await import('./server.ts')).serverDriver,
  partner: async () => (await import('./partner.ts')).partnerDriver,
}

interface TwiceComparison {
  readonly report: ReplayReport
  readonly unstable: readonly UnstablePlace[]
  readonly inferred: readonly Rule[]
}

/**
 * Differences between two replays of one build are noise: those with an inferable pattern become rules of the second
 * report.
 */
function compareTwice(
  first: ReplayReport,
  second: ReplayReport,
  rules: readonly Rule[],
): TwiceComparison {
  const firstById = new Map(first.exchanges.map((each) => [each.recorded?.recordId, each]))
  const pairs = second.exchanges.flatMap(({ recorded, renamed }): readonly ReplayPair[] => {
    const other = firstById.get(recorded?.recordId)?.renamed
    return recorded && renamed && other ? [{ recorded, first: other, second: renamed }] : []
  })
  const { rules: inferred, unstable } = inferRules(pairs, createRuleBook(rules))
  return { report: rejudgeReport(second, [...rules, ...inferred]), unstable, inferred }
}

/** Replays the recording once, or twice with `--twice`. */
async function replayOnceOrTwice(
  drive: DriverInput,
  { run }: ReplayDriver,
): Promise<TwiceComparison> {
  const first = await run(drive)
  if (drive.flags.twice !== true || first.interrupted)
    return { report: first, unstable: [], inferred: [] }
  // A different seed, so that the ids are new to the subject.
  const second = await run({ ...drive, seed: drive.seed + 1 })
  return compareTwice(first, second, drive.rules)
}

/** `--write-rules`: appends what was inferred to the rules of the recording. */
async function writeRules(
  flags: ReplayFlags,
  inferred: readonly Rule[],
  { cwd, stderr }: Io,
): Promise<void> {
  if (inferred.length === 0)
    return printLine(stderr, 'nothing changes by itself that has no rule yet: no rule is written')
  const path = resolve(cwd, flags.rules ?? rulesFileOf(flags.recording))
  const saved = await saveRules(path, inferred, 'last')
  if (!saved.ok) throw new Problem(saved.error, exitCode.usage)
  return printLine(
    stderr,
    `${pluralise(inferred.length, 'rule')} written to ${relative(cwd, path)}`,
  )
}

/**
 * `--twice`: replays twice, and takes for noise what differs between the two. Tells what changes by
 * itself, and writes it down when wanted.
 */
async function reportNoise(
  { inferred, unstable }: TwiceComparison,
  flags: ReplayFlags,
  io: Io,
): Promise<void> {
  if (!flags.quiet && inferred.length > 0)
    await printLine(
      io.stderr,
      `${inferred.length} places change by themselves; they are compared by kind`,
    )
  for (const { operation, side, at } of unstable)
    await printLine(io.stderr, `unstable: ${operation ?? 'a call'}, ${side}, ${at}`)
  if (flags['write-rules']) await writeRules(flags, inferred, io)
}

/** Shorter replays need no explanation. */
const leastMs = 30_000
const leastSpeed = 1.5

/** From the first begin to the last end, in ms. */
function spanOf(
  exchanges: readonly RecordedExchange[],
  timesOf: (exchange: RecordedExchange) => Pick<RecordedExchange, 'startedAt' | 'tookMs'>,
): number {
  let begin = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  for (const exchange of exchanges) {
    const { startedAt, tookMs } = timesOf(exchange)
    begin = Math.min(begin, startedAt)
    end = Math.max(end, startedAt + tookMs)
  }
  return Math.max(0, end - begin)
}

const inSeconds = (ms: number): string => formatDuration(Math.max(1, Math.round(ms / 1000)) * 1000)

/** A clock that was changed on the way is named only where it began as another than the wall's. */
function clockText(clock: RecordedClock | undefined): string {
  if (clock && clock.mode !== 'real') return `on the ${clock.mode} clock`
  return clock && clock.speed > 1 ? `at speed ${clock.speed}` : 'on a faster clock'
}

/**
 * Says how long a replay takes of a recording whose session ran faster than the wall clock:
 * `--speed original` keeps the times of the session, which events and deadlines are on.
 */
export function recordedSpeedNotice(
  { exchanges, header }: Pick<RecordingContent, 'exchanges' | 'header'>,
  { mode, speed, maxGapMs }: PlaybackPace,
): string | undefined {
  if (mode !== 'original' || speed !== undefined || maxGapMs !== undefined) return undefined
  const tells = spanOf(exchanges, (exchange) => exchange)
  const took = spanOf(exchanges, wallTimesOf)
  if (tells < leastMs || tells < leastSpeed * took) return undefined
  const asFast = `--speed ${Math.round(tells / Math.max(1, took))}x`
  return (
    `it tells of ${inSeconds(tells)} and was recorded in ${inSeconds(took)} ${clockText(header._rec.clock)}; this replay takes the time it tells of. ` +
    `${asFast} is about as fast as it was recorded, --speed asap waits for causes only`
  )
}

/** A sign of life: a replay takes as long as what was recorded, and is reported when it is over. */
export function showReplayTime(recording: string, io: Io): Disposable {
  const began = performance.now()
  const line = createProgressLine(io, 1000)
  const signs = everySecond(() =>
    line.show(() => `replaying ${recording}, for ${inSeconds(performance.now() - began)}`),
  )
  return {
    [Symbol.dispose]() {
      signs[Symbol.dispose]()
      line.clear()
    },
  }
}

/** The exit code by which `git bisect run` skips a commit. */
const bisectSkipCode = 125

async function writeMap(file: string, { map, seed }: ReplayReport, io: Io): Promise<void> {
  const text = `${JSON.stringify({ seed, names: map }, null, 2)}\n`
  const { cwd, stdout } = io
  const saved = await saveText(file, text, { cwd, stdout })
  if (!saved.ok) throw new Problem(saved.error, exitCode.usage)
}

function driverOf(
  { driver: named, to, start }: ReplayFlags,
  { header, exchanges }: RecordingContent,
): DriverName {
  const isSent = (to ?? start) !== undefined && !(start !== undefined && exchanges.some(isCrash))
  return named ?? header._rec.driver ?? (isSent ? 'client' : 'partner')
}

/** In milliseconds: a service may take so long to begin. */
const minBisectTimeoutMs = 5000

/**
 * A mended service goes on where the recording ends: what it calls then is accepted, so that it does not fail for that.
 */
const answerBeyond = '202'

/** With the pace at which the failure of a minimised recording shows, and an end for `--bisect`. */
function replayFlagsOf(
  flags: ReplayFlags,
  { header, exchanges }: RecordingContent,
  driver: DriverName,
): ReplayFlags {
  const isPaced = [flags.speed, flags.rate, flags.step].some((each) => each !== undefined)
  const { pace, gap, failure } = header._rec
  const isAnswered = driver === 'partner' || flags.synth || flags['on-miss'] !== undefined
  return {
    ...flags,
    ...(failure && flags.bisect && !isAnswered ? { 'on-miss': answerBeyond } : {}),
    ...(failure && driver !== 'partner' && exchanges.some(isTokenRefused)
      ? { 'faithful-failures': true }
      : {}),
    ...(failure && pace && !isPaced ? { speed: pace } : {}),
    ...(failure && gap !== undefined && !isPaced
      ? { 'max-gap': `${shorterGapMs(flags, { maxGapMs: gap })}ms` }
      : {}),
  }
}

/** The exit code for `git bisect run`. For a minimised recording only its recorded failure counts as bad. */
function bisectExitCode(exit: ExitCode, outcome: TrialOutcome | undefined): ExitCode {
  if (outcome !== undefined) return bisectCodeByOutcome[outcome]
  return exit === 3 || exit === 4 || exit === exitCode.unstable ? bisectSkipCode : exit
}

const bisectCodeByOutcome: Readonly<Record<TrialOutcome, ExitCode>> = {
  fail: 1,
  pass: 0,
  unresolved: bisectSkipCode,
}

const outcomeText: Readonly<Record<TrialOutcome, string>> = {
  fail: 'the failure still shows',
  pass: 'the failure does not show any more',
  unresolved: 'whether the failure still shows cannot be said',
}

/** The failure that the exit code is about: the one that is named, or that a recording was cut down to. */
function failureMeant(flags: ReplayFlags, content: RecordingContent): FailureSignature | undefined {
  if (flags.failure === undefined && flags.at === undefined)
    return content.header._rec.failure as FailureSignature | undefined
  const failures = listFailures(recordedReport(content))
  const found = failureChoice(flags)(failures)
  if (found) return found.signature
  throw problem(
    `replaying ${flags.recording}`,
    'the failure that is named does not show in it',
    failures.length === 0
      ? 'It shows none.'
      : `It shows: ${failures
          .slice(0, 10)
          .map(({ text }, index) => `${index + 1}. ${text}`)
          .join('; ')}.`,
  )
}

/** Whether a replay has come to the failure that a recording was cut down to, or to its place without it. */
function decisiveTestOf(meant: FailureSignature, content: RecordingContent) {
  const failures = listFailures(recordedReport(content))
  const found = failures.find(({ signature }) => isSameFailure(signature, meant))
  return createDecisiveTest({ signature: meant, culprit: found?.places[0]?.recordId ?? '' })
}

/** Opens the dashboard of a replay. */
export type OpenReplayScreen = (
  input: Required<Pick<DriverInput, 'flags' | 'io' | 'content' | 'rules' | 'edited' | 'signal'>>,
) => Promise<ReplayScreen>

export async function playRecording(
  parsed: ReplayFlags,
  io: Io,
  openScreen?: OpenReplayScreen,
): Promise<ExitCode> {
  if (!parsed.bisect) return playAndReport(parsed, io, openScreen)
  try {
    return await playAndReport(parsed, io, openScreen)
  } catch (error) {
    // A service that cannot be judged is neither good nor bad; a wrong flag is a mistake.
    if (!(error instanceof Problem) || error.exit === exitCode.usage) throw error
    await printLine(io.stderr, `sparring: ${error.message}`)
    return bisectSkipCode
  }
}

async function playAndReport(
  typed: ReplayFlags,
  io: Io,
  openScreen: OpenReplayScreen | undefined,
): Promise<ExitCode> {
  const [content, rules] = await Promise.all([
    readRecordingContent(typed.recording, io.cwd),
    loadUserRules(typed.recording, typed.rules, io.cwd, typed['write-rules']),
  ])
  const parsed = await withRecordedDialect(typed, content, io)
  checkStart(parsed)
  const driver = driverOf(parsed, content)
  const replayDriver = await driversByName[driver]()
  const { start: command, config } = parsed
  await using service =
    command === undefined
      ? undefined
      : await prepareOwnService({ command, flag: '--start', config, content, io })
  const flags = { ...replayFlagsOf(parsed, content, driver), ...service?.target }
  replayDriver.check(flags)
  const meant = failureMeant(flags, content)
  const edits = readEdits(flags, content)
  using writers = await openComparisonReport(flags, io)
  await reportUnreadLines(content, 'the rest is replayed', io)
  using stopping = listenForStop(io)
  const seed = flags.seed ?? randomInt(2 ** 32)
  const { signal } = stopping
  const screen = await openScreen?.({ flags, io, content, rules, edited: edits, signal })
  const edited = screen?.ports.edited ?? edits
  // A service that polls would never end a replay by itself, and one that fails leaves its orders open. A rule may need
  // longer than the service takes, unless the recording was cut down to it by trials that ended so.
  const isCutDown = content.header._rec.settle !== undefined
  const isTrial =
    flags.bisect &&
    (isCutDown || (driver !== 'client' && meant?.kind !== 'invariant')) &&
    flags.idle === undefined
  const settleMs = isTrial ? Math.max(minBisectTimeoutMs, trialTimeoutMs(content)) : undefined
  const drive = {
    flags,
    io,
    content,
    seed,
    rules,
    edited,
    signal,
    ...compact({ screen, settleMs, service }),
    ...(meant && 'order' in meant ? { orderId: meant.order } : {}),
    ...(meant?.kind === 'invariant' ? { invariant: meant.name } : {}),
    ...(isTrial && meant ? { isEnough: decisiveTestOf(meant, content) } : {}),
  }
  const isAsFast = driver === 'partner' && recordedSpeedOf(content) !== undefined
  const notice =
    flags.quiet || flags.step || screen || replayDriver.isServing || isAsFast
      ? undefined
      : recordedSpeedNotice(content, parseReplayPace(flags))
  const unrepeated = flags.quiet
    ? undefined
    : unrepeatedCrashes(content, { driver, start: command })
  if (unrepeated !== undefined) await printLine(io.stderr, `sparring: ${unrepeated}`)
  if (notice !== undefined) await printLine(io.stderr, `sparring: ${flags.recording}: ${notice}`)
  const isSilent = flags.quiet || screen || flags.step || replayDriver.isServing
  using progress = isSilent ? undefined : showReplayTime(flags.recording, io)
  const played = await replayOnceOrTwice(drive, replayDriver)
  progress?.[Symbol.dispose]()
  const { report, unstable } = played
  if (flags.map !== undefined) await writeMap(flags.map, report, io)
  const comparison = reportOfReplay(report, {
    version: buildVersion(),
    unstable: unstable.length > 0,
  })
  const exit = await writeComparisonReport(comparison, writers)
  await reportNoise(played, flags, io)
  for (const line of unplayedEdits(content, edited, report))
    await printLine(io.stderr, `sparring: ${line}`)
  const again = screen ? editFlags(content, edited) : []
  if (again.length > 0) await printLine(io.stderr, `the same edits again: ${again.join(' ')}`)
  if (!flags.quiet && !screen)
    for (const line of failureLines(listFailures(report))) await printLine(io.stderr, line)
  const outcome = meant && failureOutcome(report, meant)
  if (meant && outcome !== undefined && !flags.quiet)
    await printLine(io.stderr, `${outcomeText[outcome]}: ${signatureText(meant)}`)
  if (stopping.signal.aborted && !replayDriver.isServing) return exitCode.interrupted
  return flags.bisect ? bisectExitCode(exit, outcome) : exit
}
