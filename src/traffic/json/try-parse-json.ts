/** Parses a text as JSON; undefined for no text or invalid JSON. */
export function tryParseJson(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
