/**
 * Parses a scenario into runs, or into all its diagnostics. The schema check is injected: it is the same for every kind
 * of file.
 */
import type { z } from 'zod'
import { maxNestingLevels } from '../protocol/json-value.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { type Diagnostic, examplesOf, wrongValue } from './examples.ts'
import { nameDiagnostics } from './name-diagnostics.ts'
import { orderDiagnostics } from './order-diagnostics.ts'
import { runsOf, type ScenarioRun, type ScenarioRunOptions } from './runs.ts'
import { Scenario, type ScenarioSession } from './schema.ts'

export type SchemaCheck = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
) => Result<z.output<Schema>, readonly Diagnostic[]>

const sessionIn = (value: unknown): ScenarioSession => {
  const session: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'session') : undefined
  return session ?? {}
}

/**
 * Finds a cyclic value (YAML aliases allow them) or one nested too deeply. `whole`: values already checked, as an alias may be
 * used many times.
 */
function nestingDiagnostic(
  value: unknown,
  path: readonly PropertyKey[] = [],
  ancestors: readonly unknown[] = [],
  whole: Set<unknown> = new Set(),
): Diagnostic | undefined {
  if (typeof value !== 'object' || value === null || whole.has(value)) return undefined
  if (ancestors.includes(value))
    return wrongValue(
      path,
      `${path.join('.')} is an alias of something that contains it`,
      'Write it out in place of the alias.',
    )
  if (path.length > maxNestingLevels)
    return wrongValue(path, `it is nested deeper than ${maxNestingLevels} levels`, 'Write fewer.')
  for (const [key, each] of Object.entries(value)) {
    const at = Array.isArray(value) ? Number(key) : key
    const found = nestingDiagnostic(each, [...path, at], [...ancestors, value], whole)
    if (found) return found
  }
  whole.add(value)
  return undefined
}

/** Reports a misspelt key once, not again as a missing key. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const parents = new Set(
    diagnostics
      .filter(({ which }) => which === 'key')
      .map(({ path }) => path.slice(0, -1).join('.')),
  )
  return diagnostics.filter(({ which, path }) => which === 'key' || !parents.has(path.join('.')))
}

/** Removes duplicates from several rows of a table. */
const unique = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(diagnostics.map((each) => [`${each.path.join('.')} ${each.wrong}`, each])).values(),
]

/** A session that is set to another channel than the scenario would be played by that alone. */
function channelDiagnostics({ channel, variants, session }: Scenario): readonly Diagnostic[] {
  const own = session.counterparts?.['ordering-application']?.channel
  const others = [channel, ...(variants.channels ?? [])].filter((each) => each !== undefined)
  if (own === undefined || others.every((each) => each === own)) return []
  return [
    wrongValue(
      ['session', 'counterparts', 'ordering-application', 'channel'],
      `the channel of the session is ${own}, and that of the scenario ${others.join(', ')}`,
      'Leave this one out.',
    ),
  ]
}

/** All runs of a scenario, or its diagnostics. */
export function readRuns(
  value: unknown,
  check: SchemaCheck,
  options: Omit<ScenarioRunOptions, 'example' | 'row'> = {},
): Result<readonly ScenarioRun[], readonly Diagnostic[]> {
  const diagnostic = nestingDiagnostic(value)
  if (diagnostic) return err([diagnostic])
  const diagnostics: Diagnostic[] = []
  const runs: ScenarioRun[] = []
  for (const [row, example] of examplesOf(value).entries()) {
    const checked = check(Scenario, example.value, 'the scenario')
    diagnostics.push(...example.diagnostics)
    if (!checked.ok) {
      // A placeholder that could not be substituted is not checked against the schema.
      const empty = new Set(example.diagnostics.map(({ path }) => path.join('.')))
      diagnostics.push(
        ...withoutRepeats(checked.error).filter(({ path }) => !empty.has(path.join('.'))),
      )
      continue
    }
    // The session part as written: with schema defaults filled in it would override the whole configuration.
    const scenario = { ...checked.value, session: sessionIn(example.value) }
    diagnostics.push(
      ...orderDiagnostics(scenario),
      ...channelDiagnostics(scenario),
      ...nameDiagnostics(scenario),
    )
    runs.push(...runsOf(scenario, { ...options, example: example.name, row }))
  }
  return diagnostics.length > 0 ? err(unique(diagnostics)) : ok(runs)
}
