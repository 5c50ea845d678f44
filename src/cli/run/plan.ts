/** Plans the runs: filter, shard, repetitions, order, seed and configuration. Invalid combinations are rejected here. */
import type { Configuration, ConfigurationInput } from '../../configuration/schema.ts'
import { checkConfiguration } from '../../edge/files/check-configuration.ts'
import { schemaErrorsText } from '../../edge/files/schema-errors.ts'
import type { Shard } from '../../exploration/campaign/drawn-schedules.ts'
import { problem } from '../../problem.ts'
import { configurationOf } from '../../scenario/options.ts'
import { stepEntryOf } from '../../scenario/steps.ts'
import { applyDialect } from '../../session/dialect.ts'
import type { LoadedRun } from './load-scenarios.ts'
import type { RunOptions } from './run-flags.ts'
import { parseShard } from '../shards/shard.ts'

export interface PlannedRun {
  /** From 1, among all planned runs. */
  readonly number: number
  readonly loaded: LoadedRun
  /** From 1, with `--repeat`. */
  readonly repetition: number
  readonly seed: number
  /** The scenario's own seed, where a different one is used to avoid repeated ids. */
  readonly shiftedFrom?: number
  /** Without defaults: a session fills them in itself. */
  readonly input: ConfigurationInput
  readonly configuration: Configuration
}

export interface PlanOptions extends Pick<RunOptions, 'grep' | 'shard' | 'repeat' | 'start'> {
  /** From flags and configuration file. */
  readonly base: ConfigurationInput
  /** The seed of `--seed`. */
  readonly seed?: number | undefined
  /**
   * First of the ascending seeds of the runs, for a subject that may remember the ids of earlier runs.
   */
  readonly freshFrom?: number | undefined
}

/** Runs of one group, which are compared with each other, go to the same shard. */
function inShard(loaded: readonly LoadedRun[], shard: Shard | undefined): readonly LoadedRun[] {
  const units = new Map<string, number>()
  return loaded.filter(({ file, run }) => {
    const unit = `${file} ${run.group ?? run.title}`
    const place = units.get(unit) ?? units.size
    units.set(unit, place)
    return shard === undefined || place % shard.of === shard.part - 1
  })
}

function filterByTitle(
  loaded: readonly LoadedRun[],
  grep: string | undefined,
): readonly LoadedRun[] {
  if (grep === undefined) return loaded
  const wanted = grep.toLowerCase()
  const found = loaded.filter(({ run }) => run.title.toLowerCase().includes(wanted))
  if (found.length > 0) return found
  const titles = loaded.slice(0, 3).map(({ run }) => `"${run.title}"`)
  throw problem(
    'looking for runs',
    `none has "${grep}" in its title`,
    `There are ${titles.join(', ')}${loaded.length > 3 ? ' and more' : ''}.`,
  )
}

/** Rejects `restart-subject` without `--start`. */
function checkStart({ file, run, placeOf }: LoadedRun, start: string | undefined): void {
  const index = run.scenario.steps.findIndex((step) => stepEntryOf(step).kind === 'restart-subject')
  if (index === -1 || start !== undefined) return
  const { line, column } = placeOf(['steps', index, 'restart-subject']) ?? { line: 1, column: 1 }
  throw problem(
    `playing ${file}:${line}:${column}`,
    'only who started your service can start it again',
    'Say with --start <command> how it is started.',
  )
}

type Seed = Pick<PlannedRun, 'seed' | 'shiftedFrom'>

/**
 * A scenario's own seed is kept, also in repetitions. Only for a subject that we do not restart, which would already know
 * the ids of the first time, a seed that was used before is replaced by the next unused one.
 */
function createSeedChooser({ seed: asked, freshFrom, base, start }: PlanOptions) {
  const played = new Set<number>()
  return ({ run }: LoadedRun, place: number): Seed => {
    if (freshFrom === undefined || run.scenario.subject === 'none')
      return { seed: asked ?? run.seed ?? base.seed ?? 42 }
    if (asked !== undefined || run.seed === undefined) return { seed: (asked ?? freshFrom) + place }
    if (start !== undefined) return { seed: run.seed }
    let { seed } = run
    while (played.has(seed)) seed++
    played.add(seed)
    return seed === run.seed ? { seed } : { seed, shiftedFrom: run.seed }
  }
}

export function planRuns(
  loaded: readonly LoadedRun[],
  options: PlanOptions,
): readonly PlannedRun[] {
  const { grep, shard, repeat = 1, start, base } = options
  const found = filterByTitle(loaded, grep)
  const chosen = inShard(found, parseShard(shard))
  if (chosen.length === 0)
    throw problem(
      'choosing the runs',
      `there is nothing to play${shard === undefined ? '' : ` in ${shard}: ${found.length} runs make fewer parts`}`,
      shard === undefined ? 'Name a scenario.' : 'Ask for fewer parts.',
    )
  const planned: PlannedRun[] = []
  const seedOf = createSeedChooser(options)
  for (let repetition = 1; repetition <= repeat; repetition++)
    for (const one of chosen) {
      if (repetition === 1) checkStart(one, start)
      const seeded = seedOf(one, planned.length)
      const input = { ...configurationOf(one.run, base), seed: seeded.seed }
      const checked = checkConfiguration(applyDialect(input), 'the session')
      if (!checked.ok) throw problem(`playing ${one.file}`, schemaErrorsText(checked.error), '')
      planned.push({
        number: planned.length + 1,
        loaded: one,
        repetition,
        ...seeded,
        input,
        configuration: checked.value,
      })
    }
  return planned
}

/** One notice for all runs that do not use their scenario's own seed. */
export function shiftedSeedNotice(planned: readonly PlannedRun[]): string | undefined {
  const shifted = planned.filter(({ shiftedFrom }) => shiftedFrom !== undefined)
  const [first] = shifted
  if (!first) return undefined
  const more = shifted.length > 1 ? `, and ${shifted.length - 1} more` : ''
  return `your service goes on from run to run and may remember ids, so a seed that a scenario says is not played twice: "${first.loaded.run.title}" has ${first.seed} in place of ${first.shiftedFrom}${more}. With --start it is played unchanged.`
}
