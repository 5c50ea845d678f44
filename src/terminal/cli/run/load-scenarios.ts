/**
 * Finds, reads and validates the scenario files before the first run. All errors of all files are reported at once, each
 * with file, line, column, source line and suggestion.
 */
import { roundedNumberText } from '../../../core/traffic/json/lossless-json.ts'
import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { CommandBody } from '../../../core/engine/command.ts'
import { type DataFile, isDataFile, readDataFile } from '../../../core/runtime/files/data-file.ts'
import type { SourceLocation } from '../../../core/runtime/files/source-location.ts'
import { checkSchema, type SchemaError } from '../../../core/runtime/files/schema-errors.ts'
import { withCurrentNames } from '../../../core/runtime/files/check-configuration.ts'
import { withoutSchemaReference } from '../../../core/runtime/files/list-files.ts'
import type { ValuePath } from '../../../core/protocol/issue-text.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { readRuns } from '../../../core/scenario/read.ts'
import type { ScenarioRun, ScenarioRunOptions } from '../../../core/scenario/runs.ts'
import { stepEntryOf } from '../../../core/scenario/steps.ts'

/** A run with the file that it comes from. */
export interface LoadedRun {
  /** Relative to the current folder. */
  readonly file: string
  readonly run: ScenarioRun
  /** The source location of a path in the scenario. */
  readonly placeOf: (path: ValuePath) => SourceLocation | undefined
}

const isPattern = (text: string): boolean => /[*?[\]{}]/.test(text)

/** The matching files: no duplicates, sorted by name within each pattern. */
async function findFiles(patterns: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const pattern of patterns) {
    // Brackets in the name of an existing file are no glob pattern.
    const matches: string[] = existsSync(resolve(cwd, pattern)) ? [pattern] : []
    if (matches.length === 0)
      for await (const file of glob(pattern, { cwd })) if (isDataFile(file)) matches.push(file)
    // A name without a pattern is kept although no such file exists: reading it reports the error.
    if (matches.length === 0 && !isPattern(pattern)) matches.push(pattern)
    if (matches.length === 0)
      throw problem(
        `looking for scenarios in ${cwd}`,
        `nothing fits "${pattern}"`,
        'Name a file that is there, or quote a pattern that the shell should not read.',
      )
    for (const file of matches.sort()) found.add(relative(cwd, resolve(cwd, file)) || file)
  }
  return [...found]
}

/** The message of one error, with its source line and a caret below the column. */
function errorMessage(file: DataFile, { path, which, wrong, remedy }: SchemaError): string {
  const place = file.locationOf(path, which)
  if (!place) return problem(`reading ${file.file}`, wrong, remedy).message
  return withSourceExcerpt(file, place, `${wrong}. ${remedy}`)
}

const maxLineLength = 160

function withSourceExcerpt(
  file: DataFile,
  { line, column }: SourceLocation,
  sentence: string,
): string {
  const text = file.lineAt(line)
  const head = `reading ${file.file}:${line}:${column}: ${sentence}`
  if (text === undefined || text.trim() === '') return head
  // Of a very long line only an excerpt around the column is shown.
  const from = text.length > maxLineLength ? Math.max(0, column - 1 - maxLineLength / 2) : 0
  const margin = `  ${line} | ${from > 0 ? '…' : ''}`
  const shown = `${text.slice(from, from + maxLineLength)}${from + maxLineLength < text.length ? '…' : ''}`
  const before = ' '.repeat(margin.length + column - 1 - from)
  return [head, `${margin}${shown}`, `${before}^`].join('\n')
}

/** Validates `command` steps like the control API does: an invalid command would crash the session. */
function commandErrors({ scenario }: ScenarioRun): readonly SchemaError[] {
  return scenario.steps.flatMap((step, index) => {
    const entry = stepEntryOf(step)
    if (entry.kind !== 'command') return []
    const checked = checkSchema(CommandBody, entry.input, 'the command')
    if (checked.ok) return []
    return checked.error.map((each) => ({
      ...each,
      path: ['steps', index, 'command', ...each.path],
    }))
  })
}

type ReadResult =
  | { readonly ok: true; readonly loaded: readonly LoadedRun[] }
  | { readonly ok: false; readonly wrong: string }

async function read(name: string, cwd: string, options: ScenarioRunOptions): Promise<ReadResult> {
  const file = await readDataFile(name, resolve(cwd, name), 'a scenario')
  if (file.error)
    return {
      ok: false,
      wrong: withSourceExcerpt(file, file.error.place, `${file.error.message}. Correct it there.`),
    }
  if (file.rounded) {
    const { source, place } = file.rounded
    return { ok: false, wrong: withSourceExcerpt(file, place, `${roundedNumberText(source)}.`) }
  }
  const runs = readRuns(
    withCurrentNames(withoutSchemaReference(file.value)) ?? {},
    checkSchema,
    options,
  )
  // Rows of a table may hold different commands; an error of several rows is reported once.
  const errors = runs.ok
    ? [
        ...new Map(
          runs.value
            .flatMap(commandErrors)
            .map((each) => [`${each.path.join('.')} ${each.wrong}`, each] as const),
        ).values(),
      ]
    : runs.error
  if (errors.length > 0 || !runs.ok)
    return { ok: false, wrong: errors.map((each) => errorMessage(file, each)).join('\n') }
  const placeOf = (path: ValuePath): SourceLocation | undefined => file.locationOf(path, 'key')
  return { ok: true, loaded: runs.value.map((run) => ({ file: name, run, placeOf })) }
}

/** The runs of every file, or one problem with all errors. */
export async function loadScenarios(
  patterns: readonly string[],
  cwd: string,
  options: ScenarioRunOptions = {},
): Promise<readonly LoadedRun[]> {
  const loaded: LoadedRun[] = []
  const wrong: string[] = []
  for (const name of await findFiles(patterns, cwd)) {
    const one = await read(name, cwd, options).catch((error: unknown): ReadResult => {
      if (error instanceof Problem) return { ok: false, wrong: error.message }
      throw error
    })
    if (one.ok) loaded.push(...one.loaded)
    else wrong.push(one.wrong)
  }
  if (wrong.length > 0) throw new Problem(wrong.join('\n'), 2)
  return loaded
}
