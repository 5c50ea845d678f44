/** What a body means that may be JSON; undefined when it is none, or there is no body. */
export function jsonIn(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
