/** Loads the comparison rules of the user: from the named file, or the one next to the recording. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readWhole, textOfBytes } from '../../../core/runtime/files/text-file.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import {
  parseUserRules,
  formatUserRules,
  RulesFile,
  userRulesVersion,
} from '../../difference/user-rules.ts'
import { saveText } from '../../../core/runtime/files/output.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'

/** The first matching rule decides: a rule written by hand comes before the others, a learned one after them. */
type RulePlace = 'first' | 'last'

const emptyFile = `{ "version": ${userRulesVersion}, "rules": [] }`

function withRules(before: string, added: readonly Rule[], at: RulePlace): Result<string, string> {
  const validated = parseUserRules(before)
  if (!validated.ok) return validated
  const file = RulesFile.parse(JSON.parse(before))
  const fresh = RulesFile.parse(JSON.parse(formatUserRules(added))).rules
  const rules = at === 'first' ? [...fresh, ...file.rules] : [...file.rules, ...fresh]
  const text = `${JSON.stringify({ ...file, rules }, null, 2)}\n`
  const whole = parseUserRules(text)
  return whole.ok ? ok(text) : whole
}

/** Adds comparison rules to a rules file, and keeps what is in it. */
export async function saveRules(
  path: string,
  rules: readonly Rule[],
  at: RulePlace,
): Promise<Result<void, string>> {
  let before = emptyFile
  try {
    if (existsSync(path)) before = textOfBytes(await readWhole(`reading the rules ${path}`, path))
  } catch (error) {
    if (error instanceof Problem) return err(error.message)
    throw error
  }
  const text = withRules(before, rules, at)
  return text.ok ? saveText(path, text.value) : err(`the rules ${path} will not do: ${text.error}`)
}

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
  const text = textOfBytes(await readWhole(`reading the rules ${path}`, path, { pipes: true }))
  const rules = parseUserRules(text)
  if (rules.ok) return rules.value
  throw problem(
    `reading the rules ${path}`,
    rules.error,
    'Each rule is {at, compare, reason}: `sparring diff --help` shows one.',
  )
}
