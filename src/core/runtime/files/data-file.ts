/**
 * Reads a hand-written data file (YAML, JSON or TypeScript) with source locations, so that errors can name line and
 * column and quote the line.
 */
import { compact } from '../../base/compact.ts'
import { extname } from 'node:path'
import { Problem } from '../../base/problem.ts'
import { importDefaultExport } from './module-file.ts'
import { readTextFile } from './text-file.ts'
import type { ValuePath } from '../../protocol/issue-text.ts'
import type { ParsedText, SourceLocation } from './source-location.ts'

export interface DataFile extends Pick<ParsedText, 'error' | 'rounded'> {
  /** The file name as passed. */
  readonly file: string
  readonly value: unknown
  /** Location of a key or value; undefined for a module. */
  readonly locationOf: (path: ValuePath, which: 'key' | 'value') => SourceLocation | undefined
  /** A line of its text, counted from 1. */
  readonly lineAt: (line: number) => string | undefined
}

const textExtensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json'])

/** Whether a file name has the extension of a program that exports its data. */
export const isModuleFile = (file: string): boolean => /^\.[cm]?[jt]s$/.test(extname(file))

/** Whether a file name has the extension of a text that holds data. */
export const isDataText = (file: string): boolean => textExtensions.has(extname(file))

/** Whether a file name has the extension of a data file. */
export const isDataFile = (file: string): boolean => isDataText(file) || isModuleFile(file)

/** `what` names the expected content in messages, such as `a scenario`. */
export async function readDataFile(file: string, path: string, what: string): Promise<DataFile> {
  if (!isDataFile(file))
    throw new Problem(
      `reading ${file}: ${what} is YAML, JSON or TypeScript, and ${extname(file) || 'no extension'} says none of them. Name it .yaml, .json or .ts.`,
      2,
    )
  if (isModuleFile(file)) {
    const value = await importDefaultExport(file, path, what)
    return { file, value, locationOf: () => undefined, lineAt: () => undefined }
  }
  return parseDataText(file, await readTextFile(file, path))
}

/** Parses the text of a file: JSON by its extension, else YAML. */
export async function parseDataText(file: string, text: string): Promise<DataFile> {
  // Loaded on demand: the parser is large.
  const { parseJsonText: readJson, parseYamlText: readYaml } = await import('./source-location.ts')
  const { value, error, rounded, locationOf } = (extname(file) === '.json' ? readJson : readYaml)(
    text,
  )
  const lines = text.split(/\r?\n/)
  const lineAt = (line: number): string | undefined => lines[line - 1]
  return { file, value, locationOf, lineAt, ...compact({ error, rounded }) }
}
