/**
 * Validates a configuration: the value with defaults filled in, or its errors as sentences. Settings by their former
 * names are read: `temperament: slow` of a counterpart is `behaviour: slow`.
 */
import { Configuration } from '../../session-api/configuration/schema.ts'
import { fillConfiguration } from '../../session-api/configuration/fill.ts'
import { ownMerchantErrors } from '../../session-api/configuration/own-merchants.ts'
import { dialectMistakes } from '../../protocol/dialects/own-dialect.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import { checkSchema, type SchemaError } from './schema-errors.ts'

/** A menu may be wrong in many rows, which are all reported at once. */
const maxErrors = 100

/** Files of merchants and menus are read before: see list-files.ts. */
export function checkConfiguration(
  input: unknown,
  what = 'the configuration',
): Result<Configuration, readonly SchemaError[]> {
  const filled = fillConfiguration(input)
  const checked = filled ? ok(filled) : checkSchema(Configuration, input, what, maxErrors)
  if (!checked.ok) return checked
  const errors = [
    ...ownMerchantErrors(checked.value).map((each) => ({ ...each, which: 'value' as const })),
    ...dialectMistakes(checked.value.conduct).map((each) => ({
      ...each,
      path: ['conduct', ...each.path],
      wrong: `conduct.${each.path.map(String).join('.')}: ${each.wrong}`,
    })),
  ]
  return errors.length === 0 ? checked : err(errors.slice(0, maxErrors))
}

let isHinted = false

function hint(role: string): void {
  if (isHinted) return
  isHinted = true
  process.emitWarning(`counterparts.${role}.temperament is called behaviour now: rename it.`)
}

/** A counterpart that has both names keeps them: the former one is an error like any unknown key. */
function currentCounterpart([role, own]: [string, unknown]): [string, unknown] {
  if (
    !isUnknownRecord(own) ||
    !Object.hasOwn(own, 'temperament') ||
    Object.hasOwn(own, 'behaviour')
  )
    return [role, own]
  hint(role)
  const named = Object.entries(own).map(([key, value]) => [
    key === 'temperament' ? 'behaviour' : key,
    value,
  ])
  return [role, Object.fromEntries(named)]
}

/** A configuration, or a scenario with its `session`, by the current names. */
export function withCurrentNames(value: unknown): unknown {
  if (!isUnknownRecord(value)) return value
  const { session, counterparts } = value
  if (session !== undefined) return { ...value, session: withCurrentNames(session) }
  if (!isUnknownRecord(counterparts)) return value
  const current = Object.fromEntries(Object.entries(counterparts).map(currentCounterpart))
  return { ...value, counterparts: current }
}
