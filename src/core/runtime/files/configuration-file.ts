/**
 * Finds, reads and validates `sparring.config.{yaml,json,ts}`, of which there may be only one. Errors name file, line
 * and column in the form that editors and terminals link.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import type { ConfigurationInput } from '../../session-api/configuration/schema.ts'
import { Problem, problem } from '../../base/problem.ts'
import { isReadable } from './file-access.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { checkConfiguration, withCurrentNames } from './check-configuration.ts'
import { loadListFiles, withoutSchemaReference } from './list-files.ts'
import { importDefaultExport } from './module-file.ts'
import type { ParsedText } from './source-location.ts'
import { readWhole, textOfBytes } from './text-file.ts'
import type { ValuePath } from '../../protocol/issue-text.ts'

const names = ['yaml', 'yml', 'json', 'ts'].map((extension) => `sparring.config.${extension}`)

export interface ConfigurationFile {
  /** The file name as passed, or as found. */
  readonly file: string
  /** Without defaults, so that flags can override it; with the rows of the files that it names. */
  readonly value: ConfigurationInput
  /** Paths of the files of merchants and menus that it names. */
  readonly lists: readonly string[]
  /** Location of a value in the text; absent for a module. */
  readonly locationOf?: (path: ValuePath) => { readonly line: number; readonly column: number }
}

/** Synchronous: for four lookups, starting the thread pool would take longer than the calls. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    return false
  }
}

function find(cwd: string): string | undefined {
  const found = names.filter((name) => isFile(resolve(cwd, name)))
  if (found.length > 1)
    throw problem(
      `looking for a configuration in ${cwd}`,
      `there are ${found.join(' and ')}, and only one can be meant`,
      'Remove the others, or name one with --config <file>.',
    )
  return found[0]
}

const textExtensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json'])

async function textOf(file: string, path: string): Promise<string> {
  try {
    return textOfBytes(await readWhole(`reading ${file}`, path))
  } catch (error) {
    if (!isReadable(path) || existsSync(path)) throw error
    throw problem(
      `reading ${file}`,
      'there is no such file',
      'Name another with --config <file>, or make one with sparring init.',
    )
  }
}

/** Without keys that have no value: a section whose settings are all commented out is as if it were not there. */
const withoutEmptySections = (value: unknown): unknown =>
  isUnknownRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, each]) => each !== null)
          .map(([key, each]) => [key, withoutEmptySections(each)]),
      )
    : value

/** With the paths of contracts in a folder as absolute ones. */
export function withContractsIn(folder: string, value: unknown): unknown {
  if (!isUnknownRecord(value) || value['contract'] === undefined) return value
  const { contract } = value
  const inFolder = (entry: unknown): unknown =>
    typeof entry === 'string' && entry !== ''
      ? resolve(folder, entry)
      : isUnknownRecord(entry) && typeof entry['file'] === 'string' && entry['file'] !== ''
        ? { ...entry, file: resolve(folder, entry['file']) }
        : entry
  return {
    ...value,
    contract: Array.isArray(contract) ? contract.map(inFolder) : inFolder(contract),
  }
}

interface ReadFile {
  readonly file: string
  readonly path: string
  readonly onRead: ((path: string) => void) | undefined
}

/** Validates what was read, with the lists that it names; throws a problem with every error. */
async function checkedInput(
  value: unknown,
  { file, path, onRead }: ReadFile,
  locationOf?: ParsedText['locationOf'],
): Promise<Pick<ConfigurationFile, 'value' | 'lists'>> {
  const folder = dirname(path)
  const lists = await loadListFiles(
    withContractsIn(folder, withCurrentNames(withoutSchemaReference(value))),
    folder,
    dirname(file),
    onRead,
  )
  const checked = checkConfiguration(lists.value)
  if (checked.ok) return { value: lists.value as ConfigurationInput, lists: lists.paths }
  const lines = checked.error.map(({ path: at, which, wrong, remedy }) => {
    const place = lists.locationOf(at, which) ?? { file, ...locationOf?.(at, which) }
    const where = 'line' in place ? `${place.file}:${place.line}:${place.column}` : place.file
    return problem(`reading ${where}`, wrong, remedy).message
  })
  throw new Problem(lines.join('\n'), 2)
}

/**
 * Reads the named file, or the only one in `cwd`; undefined when there is none. `onRead` is called with the path of every
 * file that is read or looked for, also of those that cannot be read.
 */
export async function readConfigurationFile(
  cwd: string,
  named?: string,
  onRead?: (path: string) => void,
): Promise<ConfigurationFile | undefined> {
  for (const name of named === undefined ? names : [named]) onRead?.(resolve(cwd, name))
  const file = named ?? find(cwd)
  if (file === undefined) return undefined
  const path = resolve(cwd, file)
  const extension = extname(file)
  if (textExtensions.has(extension)) {
    const text = await textOf(file, path)
    // Loaded on demand: most sessions have no file, and the parser is large.
    const { parseJsonText: readJson, parseYamlText: readYaml } =
      await import('./source-location.ts')
    const { value, error, locationOf } = (extension === '.json' ? readJson : readYaml)(text)
    if (error) {
      const { line, column } = error.place
      throw problem(`reading ${file}:${line}:${column}`, error.message, 'Correct it there.')
    }
    // A file with only comments is allowed and means no settings.
    const input = await checkedInput(
      withoutEmptySections(value ?? {}),
      { file, path, onRead },
      locationOf,
    )
    return { file, ...input, locationOf: (at) => locationOf(at, 'value') }
  }
  if (/^\.[cm]?[jt]s$/.test(extension)) {
    await textOf(file, path)
    const value = await importDefaultExport(file, path, 'a configuration')
    return { file, ...(await checkedInput(value, { file, path, onRead })) }
  }
  throw problem(
    `reading ${file}`,
    `a configuration is YAML, JSON or TypeScript, and ${extension || 'no extension'} says none of them`,
    'Name it .yaml, .json or .ts.',
  )
}
