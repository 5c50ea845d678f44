/** Loads the comparison rules of the user: from the named file, or the one next to the recording. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import { parseUserRules } from '../../difference/user-rules.ts'

/** `happy-path.rec.ndjson` → `happy-path.rules.json`. */
export const rulesFileOf = (recording: string): string =>
  `${recording.replace(/(?:\.rec)?\.ndjson(?:\.(?:zst|gz))?$/, '').replace(/[/\\]$/, '')}.rules.json`

/**
 * Without `file`, or where it is to be written, a missing rules file means no rules; throws a Problem for unreadable or
 * invalid rules.
 */
export async function loadUserRules(
  recording: string,
  file: string | undefined,
  cwd: string,
  isWritten = false,
): Promise<readonly Rule[]> {
  const path = resolve(cwd, file ?? rulesFileOf(recording))
  if ((file === undefined || isWritten) && !existsSync(path)) return []
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new Problem(`${fileProblem(`reading the rules ${path}`, error)}.`, 2)
  }
  const rules = parseUserRules(text)
  if (rules.ok) return rules.value
  throw problem(
    `reading the rules ${path}`,
    rules.error,
    'Each rule is {at, compare, reason}: `sparring diff --help` shows one.',
  )
}
