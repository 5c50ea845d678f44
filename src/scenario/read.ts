/**
 * From what somebody wrote to the runs that come of it, or to everything that is wrong with it. What checks a value
 * against a schema, and words what it finds, comes from outside: it is the same for every file.
 */
import type { z } from 'zod'
import { no, ok, type Result } from '../protocol/result.ts'
import { examplesOf } from './examples.ts'
import { type Run, runsOf, type RunWishes } from './runs.ts'
import { Scenario, type SessionPart } from './schema.ts'
import type { Slip } from './diagnostic.ts'
import { slipsOf } from './diagnostics.ts'

export type Check = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
) => Result<z.output<Schema>, readonly Slip[]>

const sessionIn = (value: unknown): SessionPart => {
  const session: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'session') : undefined
  return session ?? {}
}

/** Nobody writes more parts within parts by hand, and whatever reads them one inside the other must come to an end. */
const mostDepth = 200

/**
 * Where a value holds itself, as an alias in YAML may say, or is too deep. `open` is what is around it, `whole` what was
 * looked at already, because one thing may stand in many places.
 */
function bottomless(
  value: unknown,
  path: readonly PropertyKey[] = [],
  open: readonly unknown[] = [],
  whole: Set<unknown> = new Set(),
): Slip | undefined {
  if (typeof value !== 'object' || value === null || whole.has(value)) return undefined
  if (open.includes(value))
    return {
      path,
      which: 'value',
      wrong: `${path.join('.')} stands for something that it is a part of itself`,
      remedy: 'Write it out in place of the alias.',
    }
  if (path.length > mostDepth)
    return {
      path,
      which: 'value',
      wrong: `here are more than ${mostDepth} parts one inside the other`,
      remedy: 'Write fewer.',
    }
  for (const [key, each] of Object.entries(value)) {
    const at = Array.isArray(value) ? Number(key) : key
    const found = bottomless(each, [...path, at], [...open, value], whole)
    if (found) return found
  }
  whole.add(value)
  return undefined
}

/** A misspelt key is told once, not a second time as the one that is missing. */
function withoutEchoes(wrongs: readonly Slip[]): readonly Slip[] {
  const parents = new Set(
    wrongs.filter(({ which }) => which === 'key').map(({ path }) => path.slice(0, -1).join('.')),
  )
  return wrongs.filter(({ which, path }) => which === 'key' || !parents.has(path.join('.')))
}

/** What is told of several rows of a table is told once. */
const once = (wrongs: readonly Slip[]): readonly Slip[] => [
  ...new Map(wrongs.map((each) => [`${each.path.join('.')} ${each.wrong}`, each])).values(),
]

/** The runs of a scenario, one after the other. */
export function readRuns(
  value: unknown,
  check: Check,
  wishes: Omit<RunWishes, 'example' | 'row'> = {},
): Result<readonly Run[], readonly Slip[]> {
  const slip = bottomless(value)
  if (slip) return no([slip])
  const wrongs: Slip[] = []
  const runs: Run[] = []
  for (const [row, example] of examplesOf(value).entries()) {
    const checked = check(Scenario, example.value, 'the scenario')
    wrongs.push(...example.slips)
    if (!checked.ok) {
      // What no value was put into has no value that could be wrong.
      const empty = new Set(example.slips.map(({ path }) => path.join('.')))
      wrongs.push(...withoutEchoes(checked.error).filter(({ path }) => !empty.has(path.join('.'))))
      continue
    }
    // As it was written: with every default filled in it would win over a configuration in everything.
    const scenario = { ...checked.value, session: sessionIn(example.value) }
    wrongs.push(...slipsOf(scenario))
    runs.push(...runsOf(scenario, { ...wishes, example: example.name, row }))
  }
  return wrongs.length > 0 ? no(once(wrongs)) : ok(runs)
}
