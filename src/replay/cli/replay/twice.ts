/** `--twice`: replays twice, and takes for noise what differs between the two. */
import { relative, resolve } from 'node:path'
import { Problem } from '../../../core/base/problem.ts'
import { inferRules, type ReplayPair, type UnstablePlace } from '../../difference/infer-rules.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { createRuleBook } from '../../difference/protocol-rules.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { rejudgeReport } from '../../minimise/judge-exchange.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import { rulesFileOf, saveRules } from '../compare/rules.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import type { DriverInput, ReplayDriver } from './driver.ts'
import type { ReplayFlags } from './flags.ts'

export interface TwiceComparison {
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
export async function replayOnceOrTwice(
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

/** Tells what changes by itself, and writes it down when wanted. */
export async function reportNoise(
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
