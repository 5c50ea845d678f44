/**
 * Plans the runs: filter, shard, repetitions, order, seed and configuration. Invalid combinations are rejected here.
 */
import type {
  Configuration,
  ConfigurationInput,
} from '../../../core/session-api/configuration/schema.ts'
import { checkConfiguration } from '../../../core/runtime/files/check-configuration.ts'
import { schemaErrorsText } from '../../../core/runtime/files/schema-errors.ts'
import type { Shard } from '../shards/shard.ts'
import { problem } from '../../../core/base/problem.ts'
import { configurationOf } from '../../../core/scenario/options.ts'
import { type Role, roleNamed } from '../../../core/protocol/role.ts'
import { stepEntryOf } from '../../../core/scenario/steps.ts'
import { needsStart } from '../../../core/faults/port.ts'
import { applyDialect } from '../../../core/session/dialect.ts'
import type { LoadedRun } from './load-scenarios.ts'
import type { NotSelected } from './report.ts'
import type { RunOptions } from './run-flags.ts'

export interface PlannedRun {
  /** From 1, among all planned runs. */
  readonly number: number
  /** From 1, among those of all shards. */
  readonly place: number
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

export interface RunPlan {
  readonly runs: readonly PlannedRun[]
  readonly shard: Shard | undefined
  /** Of all shards, round by round: file and title. */
  readonly titles: readonly string[]
  readonly notSelected: readonly NotSelected[]
}

export interface PlanOptions extends Pick<
  RunOptions,
  'as' | 'channel' | 'grep' | 'repeat' | 'start'
> {
  readonly shard?: Shard | undefined
  /** A shard may be empty: a merge sees that the others have all runs. */
  readonly mayBeEmpty?: boolean | undefined
  /** From flags and configuration file. */
  readonly base: ConfigurationInput
  /** The seed of `--seed`. */
  readonly seed?: number | undefined
  /**
   * First of the ascending seeds of the runs, for a subject that may remember the ids of earlier runs.
   */
  readonly freshFrom?: number | undefined
}

/** Runs with the same unit, which are compared with each other, are played by the same shard. */
export const unitOf = ({ file, run }: LoadedRun): string => `${file} ${run.group ?? run.title}`

/** The indices of the runs of a shard. */
function indicesInShard(
  loaded: readonly LoadedRun[],
  { part, of }: Shard = { part: 1, of: 1 },
): readonly number[] {
  const units = new Map<string, number>()
  return loaded.flatMap((each, index) => {
    const unit = unitOf(each)
    const place = units.get(unit) ?? units.size
    units.set(unit, place)
    return place % of === part - 1 ? [index] : []
  })
}

interface Selection {
  readonly selected: readonly LoadedRun[]
  readonly notSelected: readonly NotSelected[]
}

/** The role of the service: without a word that of the scenarios, or the usual one where they are about several. */
function roleOf(loaded: readonly LoadedRun[], { as, base }: PlanOptions): Role | 'none' {
  const subjects = new Set(loaded.map(({ run }) => run.scenario.subject))
  subjects.delete('none')
  const [only = 'none'] = subjects
  const configured = as ?? roleNamed(base.subject?.role ?? '')
  return configured ?? (subjects.size > 1 ? 'software-service' : only)
}

/** The runs that the role of the service, `--channel` and `--grep` leave, and how many each left out. */
function selectRuns(loaded: readonly LoadedRun[], options: PlanOptions): Selection {
  const { grep, channel } = options
  const role = roleOf(loaded, options)
  const wanted = grep?.toLowerCase()
  const criteria = [
    {
      flag: role,
      fits: ({ run }: LoadedRun) => ['none', role].includes(run.scenario.subject),
      because: `about another role than ${role} (--as)`,
    },
    {
      flag: channel,
      fits: ({ run }: LoadedRun) => run.channel === channel,
      because: `by another channel than ${channel}`,
    },
    {
      flag: grep,
      fits: ({ run }: LoadedRun) => run.title.toLowerCase().includes(wanted ?? ''),
      because: `without "${grep}" in the title`,
    },
  ].filter(({ flag }) => flag !== undefined)
  const notSelected: NotSelected[] = []
  let selected = loaded
  for (const { fits, because } of criteria) {
    const left = selected.filter(fits)
    if (left.length < selected.length)
      notSelected.push({ runs: selected.length - left.length, because })
    if (left.length === 0 && selected.length > 0) throw noneSelected(selected, because)
    selected = left
  }
  if (options.start === undefined) {
    const left = withoutNeedOfStart(selected)
    if (left.length < selected.length)
      notSelected.push({
        runs: selected.length - left.length,
        because: 'of a service that is ended and started again (--start)',
      })
    selected = left
  }
  return { selected, notSelected }
}

function noneSelected(runs: readonly LoadedRun[], because: string) {
  const titles = runs.slice(0, 3).map(({ run }) => `"${run.title}" (${run.channel})`)
  return problem(
    'looking for runs',
    `all are ${because}`,
    `There are ${titles.join(', ')}${runs.length > 3 ? ' and more' : ''}.`,
  )
}

/** Where a run says that its service is ended and started again: only who started it can do that. */
export function findNeedOfStart({
  faults,
  scenario: { steps },
}: LoadedRun['run']): readonly PropertyKey[] | undefined {
  const fault = faults.findIndex(needsStart)
  if (fault !== -1) return ['faults', fault]
  for (const [index, step] of steps.entries()) {
    const { kind, input } = stepEntryOf(step)
    if (kind === 'restart-subject' || (kind === 'fault' && needsStart(input)))
      return ['steps', index, kind]
  }
  return undefined
}

/** The runs that can be played without `--start`; a problem when there are none. */
function withoutNeedOfStart(loaded: readonly LoadedRun[]): readonly LoadedRun[] {
  const left = loaded.filter(({ run }) => findNeedOfStart(run) === undefined)
  const [first] = loaded
  if (left.length > 0 || !first) return left
  const { file, run, placeOf } = first
  const { line, column } = placeOf(findNeedOfStart(run) ?? []) ?? { line: 1, column: 1 }
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

const partText = ({ part, of }: Shard): string => `${part}/${of}`

export function planRuns(loaded: readonly LoadedRun[], options: PlanOptions): RunPlan {
  const { shard, repeat = 1, base, mayBeEmpty } = options
  const { selected: found, notSelected } = selectRuns(loaded, options)
  const chosen = indicesInShard(found, shard)
  if (chosen.length === 0 && !(shard && mayBeEmpty))
    throw problem(
      'choosing the runs',
      `there is nothing to play${shard === undefined ? '' : ` in ${partText(shard)}: ${found.length} runs make fewer parts`}`,
      shard === undefined ? 'Name a scenario.' : 'Ask for fewer parts, or name a file with --out.',
    )
  const runs: PlannedRun[] = []
  const seedOf = createSeedChooser(options)
  for (let repetition = 1; repetition <= repeat; repetition++)
    for (const index of chosen) {
      const one = found[index]
      if (!one) continue
      const place = (repetition - 1) * found.length + index
      const seeded = seedOf(one, place)
      const input = { ...configurationOf(one.run, base), seed: seeded.seed }
      const checked = checkConfiguration(applyDialect(input), 'the session')
      if (!checked.ok) throw problem(`playing ${one.file}`, schemaErrorsText(checked.error), '')
      runs.push({
        number: runs.length + 1,
        place: place + 1,
        loaded: one,
        repetition,
        ...seeded,
        input,
        configuration: checked.value,
      })
    }
  const titles = found.map(({ file, run }) => `${file}: ${run.title}`)
  return {
    runs,
    shard,
    titles: Array.from({ length: repeat }, () => titles).flat(),
    notSelected,
  }
}

/** One notice for all runs that do not use their scenario's own seed. */
export function shiftedSeedNotice(planned: readonly PlannedRun[]): string | undefined {
  const shifted = planned.filter(({ shiftedFrom }) => shiftedFrom !== undefined)
  const [first] = shifted
  if (!first) return undefined
  const more = shifted.length > 1 ? `, and ${shifted.length - 1} more` : ''
  return `your service goes on from run to run and may remember ids, so a seed that a scenario says is not played twice: "${first.loaded.run.title}" has ${first.seed} in place of ${first.shiftedFrom}${more}. With --start it is played unchanged.`
}
