/** The one check of every path in the arguments of a tool call: it is in the folder, and a URL in its place is allowed. */
import { resolve } from 'node:path'
import { callRefusal, checkFile } from '../../core/runtime/files/file-access.ts'
import type { ArgumentRow, FlagRow } from '../../terminal/cli/verb.ts'

/** The paths that a value may mean, by the placeholder of its flag. */
function pathsIn(row: ArgumentRow | FlagRow, value: string): readonly string[] {
  const form = 'value' in row ? (row.value ?? '') : ''
  if (form.includes('[=file]')) return /=(.*)$/s.exec(value)?.slice(1) ?? []
  // A role has no dot and no slash.
  if (form.includes('[=role]')) return [value, value.replace(/=[^=./\\]*$/, '')]
  // A file with names in it.
  return value.startsWith('@') ? [value, value.slice(1)] : [value]
}

/** Throws a `Problem` for a path outside of the folder of the caller, and for a URL that may not be called. */
export function checkPath(
  tool: string,
  row: ArgumentRow | FlagRow,
  value: string,
  cwd: string,
): void {
  if (row.path === undefined || value === '-') return
  for (const path of pathsIn(row, value)) {
    const refusal = /^https?:/i.test(path) ? callRefusal(path) : undefined
    if (refusal) throw refusal
    checkFile(`calling ${tool} with ${row.name} ${path}`, resolve(cwd, path))
  }
}
