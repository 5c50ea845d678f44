/**
 * Reads a hand-written data file (YAML, JSON or TypeScript) with source locations, so that errors can name line and
 * column and quote the line.
 */
import { compact } from '../../compact.ts'
import { extname } from 'node:path'
import { Problem } from '../../problem.ts'
import { importDefaultExport } from './module-file.ts'
import { readTextFile } from './text-file.ts'
import type { ValuePath } from '../../protocol/issue-text.ts'

export interface SourceLocation {
  readonly line: number
  readonly column: number
}

export interface DataFile {
  /** The file name as given. */
  readonly file: string
  readonly value: unknown
  /** The syntax error, if the text cannot be parsed. */
  readonly error?: { readonly message: string; readonly place: SourceLocation }
  /** Location of a key or value; undefined for a module. */
  readonly locationOf: (path: ValuePath, which: 'key' | 'value') => SourceLocation | undefined
  /** A line of its text, counted from 1. */
  readonly lineAt: (line: number) => string | undefined
}

const textExtensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json'])

/** Whether a file name has the extension of a data file. */
export const isDataFile = (file: string): boolean =>
  textExtensions.has(extname(file)) || /^\.[cm]?[jt]s$/.test(extname(file))

/** `what` names the expected content in messages, such as `a scenario`. */
export async function readDataFile(file: string, path: string, what: string): Promise<DataFile> {
  const extension = extname(file)
  if (!isDataFile(file))
    throw new Problem(
      `reading ${file}: ${what} is YAML, JSON or TypeScript, and ${extension || 'no extension'} says none of them. Name it .yaml, .json or .ts.`,
      2,
    )
  const text = await readTextFile(file, path)
  if (!textExtensions.has(extension)) {
    const value = await importDefaultExport(file, path, what)
    return { file, value, locationOf: () => undefined, lineAt: () => undefined }
  }
  // Loaded on demand: the parser is large.
  const { parseJsonText: readJson, parseYamlText: readYaml } = await import('./source-location.ts')
  const { value, error, locationOf } = (extension === '.json' ? readJson : readYaml)(text)
  const lines = text.split(/\r?\n/)
  const lineAt = (line: number): string | undefined => lines[line - 1]
  return { file, value, locationOf, lineAt, ...compact({ error }) }
}
