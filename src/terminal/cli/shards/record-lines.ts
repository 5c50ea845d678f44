/** Reads a file of records, one JSON object a line, and checks them. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { z } from 'zod'
import { checkSchema, schemaErrorsText } from '../../../core/runtime/files/schema-errors.ts'
import { problem } from '../../../core/base/problem.ts'
import { readPartText, shownPart } from './part-files.ts'

export interface RecordLines {
  /** As a person reads its name. */
  readonly file: string
  readonly values: readonly unknown[]
  /** Half a line at the end was left out: the writer was killed. */
  readonly isTorn: boolean
}

/**
 * Whether a file has a whole line: one that was killed at its very beginning has not, and what never ran has no file.
 */
export async function hasRecords(file: string, cwd: string): Promise<boolean> {
  return existsSync(resolve(cwd, file)) && (await readPartText(file, cwd)).includes('\n')
}

/** From a file or a URL; half a line at the end, without a line break, is left out. */
export async function readRecordLines(
  name: string,
  cwd: string,
  remedy: string,
): Promise<RecordLines> {
  const file = shownPart(name)
  const lines = (await readPartText(name, cwd)).split('\n')
  const last = lines.pop() ?? ''
  const values = lines.map((line, index): unknown => {
    try {
      return JSON.parse(line)
    } catch {
      throw problem(`reading ${file}:${index + 1}`, 'it is no JSON', remedy)
    }
  })
  return { file, values, isTorn: last !== '' }
}

/** The record, or a problem with its place. */
export function checkedRecord<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: string,
  remedy: string,
): z.output<Schema> {
  const result = checkSchema(schema, value, 'the line')
  if (result.ok) return result.value
  throw problem(`reading ${place}`, schemaErrorsText(result.error.slice(0, 1)), remedy)
}
