/** Validates a configuration: the value with defaults filled in, or its errors as sentences. */
import { Configuration } from '../../session-api/configuration/schema.ts'
import { fillConfiguration } from '../../session-api/configuration/fill.ts'
import { ownMerchantErrors } from '../../session-api/configuration/own-merchants.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
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
  const errors = ownMerchantErrors(checked.value)
  return errors.length === 0
    ? checked
    : err(errors.slice(0, maxErrors).map((error) => ({ ...error, which: 'value' })))
}
