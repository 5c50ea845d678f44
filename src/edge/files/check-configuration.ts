/** Validates a configuration: the value with defaults filled in, or its errors as sentences. */
import { Configuration } from '../../configuration/schema.ts'
import { fillConfiguration } from '../../configuration/fill.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { checkSchema, type SchemaError } from './schema-errors.ts'

export function checkConfiguration(
  input: unknown,
  what = 'the configuration',
): Result<Configuration, readonly SchemaError[]> {
  const filled = fillConfiguration(input)
  return filled ? ok(filled) : checkSchema(Configuration, input, what)
}
