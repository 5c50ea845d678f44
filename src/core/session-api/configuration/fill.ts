/**
 * Fills in defaults part by part: only the parts in the input are parsed. Equivalent to the whole schema in a fraction of its
 * time.
 */
import { type Configuration, configurationParts } from './schema.ts'
import { defaultConfiguration } from './defaults.ts'
import { type UnknownRecord, isUnknownRecord } from '../../protocol/unknown-record.ts'

/** Undefined when the input is invalid: parse it with the whole schema to get the errors. */
export function fillConfiguration(input: unknown): Configuration | undefined {
  if (!isUnknownRecord(input)) return undefined
  if (!Object.keys(input).every((name) => Object.hasOwn(configurationParts, name))) return undefined
  const defaults: UnknownRecord = defaultConfiguration()
  const filled: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(configurationParts)) {
    const part = input[name]
    const parsed = part === undefined ? undefined : shape().safeParse(part, { jitless: true })
    if (parsed?.success === false) return undefined
    const value = parsed ? parsed.data : defaults[name]
    if (value !== undefined) filled[name] = value
  }
  return filled as Configuration
}
