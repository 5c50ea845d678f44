/** The parsed JSON of a text; undefined when it is none, or nested too deep to be read level by level. */
import { isDeeperThan, maxReadLevels } from './json-depth.ts'

export function parseJson(
  text: string,
  read: (text: string) => unknown = JSON.parse,
  levels = maxReadLevels,
): { readonly value: unknown } | undefined {
  if (isDeeperThan(text, levels)) return undefined
  try {
    return { value: read(text) }
  } catch {
    return undefined
  }
}

/** The value of a text that is JSON; undefined for no text or invalid JSON. */
export const tryParseJson = (text: string | undefined): unknown =>
  text === undefined ? undefined : parseJson(text)?.value
