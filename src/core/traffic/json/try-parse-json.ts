/** The parsed JSON of a text; undefined when it is none. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** The value of a text that is JSON; undefined for no text or invalid JSON. */
export const tryParseJson = (text: string | undefined): unknown =>
  text === undefined ? undefined : parseJson(text)?.value
