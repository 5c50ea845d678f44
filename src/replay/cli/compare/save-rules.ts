/** Adds comparison rules to a rules file, and keeps what is in it. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileProblem } from '../../../core/runtime/files/file-problem.ts'
import { saveText } from '../../../core/runtime/files/output.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import {
  formatUserRules,
  parseUserRules,
  RulesFile,
  userRulesVersion,
} from '../../difference/user-rules.ts'

/** The first matching rule decides: a rule written by hand comes before the others, a learned one after them. */
export type RulePlace = 'first' | 'last'

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

export async function saveRules(
  path: string,
  rules: readonly Rule[],
  at: RulePlace,
): Promise<Result<void, string>> {
  let before = emptyFile
  try {
    if (existsSync(path)) before = await readFile(path, 'utf8')
  } catch (error) {
    return err(fileProblem(`reading the rules ${path}`, error))
  }
  const text = withRules(before, rules, at)
  return text.ok ? saveText(path, text.value) : err(`the rules ${path} will not do: ${text.error}`)
}
