/**
 * From what somebody wrote to the runs that come of it, or to everything that is wrong with it. What checks a value
 * against a schema, and words what it finds, comes from outside: it is the same for every file.
 */
import type { z } from 'zod'
import { no, ok, type Result } from '../protocol/result.ts'
import { examplesOf } from './examples.ts'
import { type Run, runsOf, type RunWishes } from './runs.ts'
import { Scenario, type SessionPart } from './schema.ts'
import type { Slip } from './slip.ts'
import { slipsOf } from './slips.ts'

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
  wishes: Omit<RunWishes, 'example'> = {},
): Result<readonly Run[], readonly Slip[]> {
  const wrongs: Slip[] = []
  const runs: Run[] = []
  for (const example of examplesOf(value)) {
    const checked = check(Scenario, example.value, 'the scenario')
    wrongs.push(...example.slips)
    if (!checked.ok) {
      wrongs.push(...withoutEchoes(checked.error))
      continue
    }
    // As it was written: with every default filled in it would win over a configuration in everything.
    const scenario = { ...checked.value, session: sessionIn(example.value) }
    wrongs.push(...slipsOf(scenario))
    runs.push(...runsOf(scenario, { ...wishes, example: example.name }))
  }
  return wrongs.length > 0 ? no(once(wrongs)) : ok(runs)
}
