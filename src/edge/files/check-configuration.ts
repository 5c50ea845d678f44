/** Whether a configuration will do: filled in when it does, and what is wrong with it, in sentences, when it does not. */
import { Configuration } from '../../configuration/schema.ts'
import { fillConfiguration } from '../../configuration/fill.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { check, type Wrong } from './schema-errors.ts'

export function checkConfiguration(
  input: unknown,
  what = 'the configuration',
): Result<Configuration, readonly Wrong[]> {
  const filled = fillConfiguration(input)
  return filled ? ok(filled) : check(Configuration, input, what)
}
