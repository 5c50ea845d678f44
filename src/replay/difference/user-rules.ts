/**
 * Parses the rules file of a recording, `<recording>.rules.json`: what may differ, and why. The format is versioned; an
 * invalid rule is an error and never skipped silently.
 *
 * ```json
 * { "version": 1, "rules": [
 *   { "at": "$.body.items[*].observations", "operation": "getOrder", "compare": "ignore", "reason": "typed by hand" },
 *   { "at": "$.body..preparedAt", "compare": { "as": "time", "within": "5s" }, "reason": "our clock" }
 * ] }
 * ```
 */
import { compact } from '../../core/base/compact.ts'
import { z } from 'zod'
import { Duration } from '../../core/protocol/duration.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Comparator, Rule } from '../../core/traffic/recording/difference.ts'
import { parseJson } from '../../core/traffic/json/try-parse-json.ts'
import { strictObject } from '../../core/base/lazy-object.ts'
import { readSelector } from './rule-book.ts'

export const userRulesVersion = 1

/** Comparators without parameters, written as their name alone. */
const withoutParameters = [
  'equal',
  'time',
  'shape',
  'present',
  'absent-or-null',
  'empty',
  'set',
  'monotonic',
  'address',
  'identifier',
  'counter',
  'opaque',
  'ignore',
] as const satisfies readonly Comparator['as'][]

const CompareText = z.enum(withoutParameters)
const Compare = z.union([
  CompareText,
  strictObject(() => ({ as: z.literal('time'), within: Duration.optional() })),
  strictObject(() => ({ as: z.literal('number'), within: z.number().min(0) })),
  strictObject(() => ({ as: z.literal('keyed'), by: z.string().min(1) })),
  strictObject(() => ({ as: CompareText.exclude(['time']) })),
])

const maxRules = 1000

const UserRule = strictObject(() => ({
  at: z
    .string()
    .min(1)
    .max(1000)
    .describe(
      'JSONPath (RFC 9535) into { method, path, query, headers, body } of a request or { status, headers, body } of a reply',
    ),
  side: z.enum(['request', 'reply']).optional().describe('only there; else on both sides'),
  operation: z.string().optional().describe('only in exchanges of this operation'),
  compare: Compare.describe(
    'how two values are compared there: a name, or {as: time, within}, {as: number, within}, {as: keyed, by}',
  ),
  reason: z.string().min(1).describe('one sentence: why that is no difference'),
}))

export const RulesFile = strictObject(() => ({
  $schema: z.string().optional(),
  version: z.literal(userRulesVersion),
  rules: z.array(UserRule).max(maxRules),
}))
export type RulesFile = z.infer<typeof RulesFile>

function comparatorOf(compare: z.infer<typeof Compare>): Comparator {
  if (typeof compare === 'string') return { as: compare }
  if (compare.as !== 'time') return compare
  return compare.within === undefined ? { as: 'time' } : { as: 'time', within: compare.within }
}

/** Parses a rules file; the error names the invalid rule and why. */
export function parseUserRules(text: string): Result<readonly Rule[], string> {
  const json = parseJson(text)
  if (!json) return err('it is no JSON')
  const { success, data, error } = RulesFile.safeParse(json.value)
  if (!success) {
    const [issue] = error.issues
    return err(`${issue?.path.join('.') || 'the whole'} will not do: ${issue?.message}`)
  }
  const rules: Rule[] = []
  for (const [index, { at, side, operation, compare, reason }] of data.rules.entries()) {
    const selector = readSelector(at)
    if (!selector.ok) return err(`rules.${index}.at will not do: ${selector.error}`)
    rules.push({
      at,
      ...compact({ side, operation }),
      compare: comparatorOf(compare),
      from: 'user',
      reason,
    })
  }
  return ok(rules)
}

/** The text of a rules file, for a tool that saves what a user accepted. */
export const formatUserRules = (rules: readonly Rule[]): string =>
  `${JSON.stringify(
    {
      version: userRulesVersion,
      rules: rules.map(({ at, side, operation, compare, reason }) => ({
        at,
        side,
        operation,
        compare: Object.keys(compare).length === 1 ? compare.as : compare,
        reason,
      })),
    },
    null,
    2,
  )}\n`
