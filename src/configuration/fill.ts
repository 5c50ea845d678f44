/**
 * Fills in defaults part by part: only the given parts are parsed. Equivalent to the whole schema in a fraction of its
 * time.
 */
import { type Configuration, configurationParts } from './schema.ts'
import { usualConfiguration } from './defaults.ts'
import { type Group, isGroup } from '../protocol/group.ts'

/** Undefined when the input is invalid: parse it with the whole schema to get the errors. */
export function filledConfiguration(input: unknown): Configuration | undefined {
  if (!isGroup(input)) return undefined
  if (!Object.keys(input).every((name) => Object.hasOwn(configurationParts, name))) return undefined
  const usual: Group = usualConfiguration()
  const filled: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(configurationParts)) {
    const said = input[name]
    const read = said === undefined ? undefined : shape().safeParse(said, { jitless: true })
    if (read?.success === false) return undefined
    const value = read ? read.data : usual[name]
    if (value !== undefined) filled[name] = value
  }
  return filled as Configuration
}
