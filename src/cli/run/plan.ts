/** Which runs are played, in which order, and what each is told. Everything that can be wrong is wrong here. */
import type { Configuration, ConfigurationInput } from '../../configuration/schema.ts'
import { checkConfiguration } from '../../edge/files/check-configuration.ts'
import { sentenceOf } from '../../edge/files/schema-errors.ts'
import { problem } from '../../problem.ts'
import { configurationOf } from '../../scenario/options.ts'
import { entryOf } from '../../scenario/steps.ts'
import { applyDialect } from '../../session/dialect.ts'
import type { Loaded } from './files.ts'
import type { RunOptions } from './run-flags.ts'

export interface Planned {
  /** From 1, among all that are played. */
  readonly number: number
  readonly loaded: Loaded
  /** The how many-eth time that the same is played. */
  readonly repetition: number
  readonly seed: number
  /** The seed that the scenario says, where it could not be played again as it is. */
  readonly shiftedFrom?: number
  /** As it was given: a session fills in the defaults itself. */
  readonly input: ConfigurationInput
  readonly configuration: Configuration
}

export interface PlanWishes extends Pick<RunOptions, 'grep' | 'shard' | 'repeat' | 'start'> {
  /** What flags and file say. */
  readonly base: ConfigurationInput
  /** The seed that was asked for. */
  readonly seed?: number | undefined
  /**
   * Your service may remember one run in the next, and must not meet its ids again: then each run gets a seed of its own,
   * from this one on.
   */
  readonly freshFrom?: number | undefined
}

interface Shard {
  readonly index: number
  readonly of: number
}

function shardOf(text: string | undefined): Shard {
  if (text === undefined) return { index: 0, of: 1 }
  const [, k, n] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const [index, of] = [Number(k) - 1, Number(n)]
  if (k !== undefined && index >= 0 && index < of) return { index, of }
  throw problem('reading --shard', `"${text}" is no part of a whole`, 'Write it as 1/4, 2/4 …')
}

/** Runs that are held against each other stay together, wherever they are played. */
function inShard(loaded: readonly Loaded[], { index, of }: Shard): readonly Loaded[] {
  const units = new Map<string, number>()
  return loaded.filter(({ file, run }) => {
    const unit = `${file} ${run.group ?? run.title}`
    const place = units.get(unit) ?? units.size
    units.set(unit, place)
    return place % of === index
  })
}

function matching(loaded: readonly Loaded[], grep: string | undefined): readonly Loaded[] {
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

/** What only somebody who starts your service can do. */
function checkStart({ file, run, placeOf }: Loaded, start: string | undefined): void {
  const index = run.scenario.steps.findIndex((step) => entryOf(step).word === 'restart-subject')
  if (index === -1 || start !== undefined) return
  const { line, column } = placeOf(['steps', index, 'restart-subject']) ?? { line: 1, column: 1 }
  throw problem(
    `playing ${file}:${line}:${column}`,
    'only who started your service can start it again',
    'Say with --start <command> how it is started.',
  )
}

type Seed = Pick<Planned, 'seed' | 'shiftedFrom'>

/**
 * Where a scenario says its seed, that seed matters to it: it is played as it is, also when it is repeated. Only a service
 * that goes on from one run to the next, because we do not start it, would know all ids of the second time already.
 */
function seeding({ seed: asked, freshFrom, base, start }: PlanWishes) {
  const played = new Set<number>()
  return ({ run }: Loaded, place: number): Seed => {
    if (freshFrom === undefined || run.scenario.subject === 'nobody')
      return { seed: asked ?? run.seed ?? base.seed ?? 42 }
    if (asked !== undefined || run.seed === undefined) return { seed: (asked ?? freshFrom) + place }
    if (start !== undefined) return { seed: run.seed }
    let { seed } = run
    while (played.has(seed)) seed++
    played.add(seed)
    return seed === run.seed ? { seed } : { seed, shiftedFrom: run.seed }
  }
}

export function planRuns(loaded: readonly Loaded[], wishes: PlanWishes): readonly Planned[] {
  const { grep, shard, repeat = 1, start, base } = wishes
  const chosen = inShard(matching(loaded, grep), shardOf(shard))
  const planned: Planned[] = []
  const seedOf = seeding(wishes)
  for (let repetition = 1; repetition <= repeat; repetition++)
    for (const one of chosen) {
      if (repetition === 1) checkStart(one, start)
      const seeded = seedOf(one, planned.length)
      const input = { ...configurationOf(one.run, base), seed: seeded.seed }
      const checked = checkConfiguration(applyDialect(input), 'the session')
      if (!checked.ok) throw problem(`playing ${one.file}`, sentenceOf(checked.error), '')
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

/** What is to be said, once, of seeds that are not played as they stand in their scenarios. */
export function shiftedNote(planned: readonly Planned[]): string | undefined {
  const shifted = planned.filter(({ shiftedFrom }) => shiftedFrom !== undefined)
  const [first] = shifted
  if (!first) return undefined
  const more = shifted.length > 1 ? `, and ${shifted.length - 1} more` : ''
  return `your service goes on from run to run and may remember ids, so a seed that a scenario says is not played twice: "${first.loaded.run.title}" has ${first.seed} in place of ${first.shiftedFrom}${more}. With --start it is played as it stands.`
}
