/** Implements `sparring replay`, from the flags to the exit code. */
import { compact } from '../../compact.ts'
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileProblem } from '../../edge/files/file-problem.ts'
import { readRecording } from '../../edge/recording/read-recording.ts'
import { Problem } from '../../problem.ts'
import { trialOutcome } from '../../traffic/minimise/replay-failure.ts'
import type { TrialOutcome } from '../../traffic/minimise/trial.ts'
import type { PlayedSides, ReplayReport } from '../../traffic/replay/replay-report.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type Io, printLine } from '../io.ts'
import { openComparisonReport, writeComparisonReport } from '../compare/write-report.ts'
import { reportOfReplay } from '../compare/comparison-report.ts'
import { loadUserRules } from '../compare/rules.ts'
import { packageVersion } from '../../edge/version.ts'
import { listenForStop } from '../stop-signal.ts'
import type { DriverInput } from './driver.ts'
import { driversByName } from './drivers.ts'
import type { ReplayFlags } from './flags.ts'
import { reportUnreadLines } from './unread-lines.ts'
import { rejudgeReport } from '../../session/player/results.ts'
import {
  inferRules,
  type ReplayPair,
  type UnstablePlace,
} from '../../traffic/difference/infer-rules.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import { createRuleBook } from '../../traffic/difference/protocol-rules.ts'
import { canShowDashboard } from '../session-output.ts'

/** The exit code by which `git bisect run` skips a commit. */
const bisectSkipCode = 125

async function readContent(file: string, cwd: string): Promise<RecordingContent> {
  const read = await readRecording(resolve(cwd, file))
  if (read.ok) return { ...read.value, file }
  throw new Problem(read.error, exitCode.usage)
}

async function writeMap(file: string, { map, seed }: ReplayReport, cwd: string): Promise<void> {
  const text = `${JSON.stringify({ seed, names: map }, null, 2)}\n`
  await writeFile(resolve(cwd, file), text).catch((error: unknown) => {
    throw new Problem(fileProblem(`writing ${file}`, error), exitCode.usage)
  })
}

const driverOf = ({ as: named, to }: ReplayFlags): PlayedSides =>
  named ?? (to === undefined ? 'both' : 'client')

/** Replays the recording once, or twice with `--twice`. */
async function play(drive: DriverInput, driver: PlayedSides): Promise<TwiceComparison> {
  const { run } = await driversByName[driver]()
  const first = await run(drive)
  if (drive.flags.twice !== true || first.interrupted)
    return { report: first, unstable: [], inferred: [] }
  // A different seed, so that the subject has not seen the ids before.
  const second = await run({ ...drive, seed: drive.seed + 1 })
  return compareTwice(first, second, drive.rules)
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
  fail: 'the failure that this recording was cut down to still shows',
  pass: 'the failure that this recording was cut down to does not show any more',
  unresolved: 'whether the failure still shows that this recording was cut down to cannot be said',
}

export async function runReplay(flags: ReplayFlags, io: Io): Promise<ExitCode> {
  const screens = wantsScreen(flags, io) ? await import('./screen.ts') : undefined
  if (screens && flags.to === undefined) return screens.browseRecording(flags, io)
  const driver = driverOf(flags)
  const { check, isServing } = await driversByName[driver]()
  check(flags)
  const [content, rules] = await Promise.all([
    readContent(flags.recording, io.cwd),
    loadUserRules(flags.recording, flags.rules, io.cwd),
  ])
  const writers = await openComparisonReport(flags, io)
  await reportUnreadLines(content, 'the rest is replayed', io)
  using stopping = listenForStop(io)
  const seed = flags.seed ?? randomInt(2 ** 32)
  const { signal } = stopping
  const screen = screens && (await screens.openReplayScreen({ flags, io, content, rules, signal }))
  const drive = { flags, io, content, seed, rules, signal, ...compact({ screen }) }
  const { report, unstable, inferred } = await play(drive, driver)
  if (flags.map !== undefined) await writeMap(flags.map, report, io.cwd)
  const comparison = reportOfReplay(report, {
    version: packageVersion(),
    unstable: unstable.length > 0,
  })
  const exit = await writeComparisonReport(comparison, writers)
  if (!flags.quiet && inferred.length > 0)
    await printLine(
      io.stderr,
      `${inferred.length} places change by themselves; they are compared by kind`,
    )
  for (const { operation, side, at } of unstable)
    await printLine(io.stderr, `unstable: ${operation ?? 'a call'}, ${side}, ${at}`)
  const { failure } = content.header._rec
  const outcome = failure && trialOutcome(report, failure)
  if (outcome !== undefined && !flags.quiet) await printLine(io.stderr, outcomeText[outcome])
  if (stopping.signal.aborted && !isServing) return exitCode.interrupted
  return flags.bisect ? bisectExitCode(exit, outcome) : exit
}

interface TwiceComparison {
  readonly report: ReplayReport
  readonly unstable: readonly UnstablePlace[]
  readonly inferred: readonly Rule[]
}

/** Differences between two replays of one build are noise: those with an inferable pattern become rules of the second report. */
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

/** Flags for machine-readable or line output, or of another driver. */
const lineFlags = ['json', 'quiet', 'reporter', 'twice', 'bisect', 'step', 'subject'] as const

/** Whether a replay opens on the dashboard: on an interactive terminal, unless a flag asks for lines. */
export function wantsScreen(flags: ReplayFlags, io: Io): boolean {
  if (!canShowDashboard(io) || lineFlags.some((name) => flags[name] !== undefined)) return false
  return flags.as === undefined || (flags.as === 'client' && flags.to !== undefined)
}
