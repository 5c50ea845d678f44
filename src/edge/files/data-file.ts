/**
 * A file of data that a person writes, as YAML, JSON or TypeScript, with the places of everything in it, so that what is
 * wrong can be told by line and column, and the line itself can be shown.
 */
import { compact } from '../../compact.ts'
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { errorCode, fileProblem } from './file-problem.ts'
import { Problem } from '../../problem.ts'
import { exportedBy } from './module-file.ts'
import type { Path } from './schema-errors.ts'

export interface Place {
  readonly line: number
  readonly column: number
}

export interface DataFile {
  /** As it was named. */
  readonly file: string
  readonly value: unknown
  /** What keeps it from being read at all, as a sentence. */
  readonly error?: { readonly message: string; readonly place: Place }
  /** Where something stands; undefined for a file that is run. */
  readonly placeOf: (path: Path, which: 'key' | 'value') => Place | undefined
  /** A line of its text, from 1. */
  readonly lineAt: (line: number) => string | undefined
}

const texts: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json'])

/** Whether a name says that it is a file of data. */
export const isDataFile = (file: string): boolean =>
  texts.has(extname(file)) || /^\.[cm]?[jt]s$/.test(extname(file))

/** `what` is what it should hold, such as `a scenario`. */
export async function readDataFile(file: string, path: string, what: string): Promise<DataFile> {
  const extension = extname(file)
  if (!isDataFile(file))
    throw new Problem(
      `reading ${file}: ${what} is YAML, JSON or TypeScript, and ${extension || 'no extension'} says none of them. Name it .yaml, .json or .ts.`,
      2,
    )
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    throw new Problem(`${fileProblem(`reading ${file}`, error)}.`, 2)
  }
  // Read as UTF-8 all the same, letters would be lost, and what was written would mean something else.
  if (!isUtf8(bytes))
    throw new Problem(`reading ${file}: it is no UTF-8 text. Save it as UTF-8.`, 2)
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (!texts.has(extension)) {
    const value = await exportedBy(file, path, what)
    return { file, value, placeOf: () => undefined, lineAt: () => undefined }
  }
  // Loaded only now: the parser is larger than all that reads it.
  const { readJson, readYaml } = await import('./source-location.ts')
  const { value, error, placeOf } = (extension === '.json' ? readJson : readYaml)(text)
  const lines = text.split(/\r?\n/)
  const lineAt = (line: number): string | undefined => lines[line - 1]
  return { file, value, placeOf, lineAt, ...compact({ error }) }
}
