/** The bodies of exchanges as values. */

/** The JSON of a text; undefined when it is none. */
export type Reading = (text: string | undefined) => unknown

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bodies whose values are at hand: as many as one thing that is seen may have to do with. */
const mostAtHand = 4

/**
 * Reads bodies when they are asked for. The last few values are at hand, since everybody asks for the same; none is kept
 * longer, because thousands of exchanges are, and a value takes several times as much as its text.
 */
export function createReading(): Reading {
  const atHand: { readonly text: string; readonly value: unknown }[] = []
  return (text) => {
    if (text === undefined || text === '') return undefined
    const known = atHand.find((each) => each.text === text)
    if (known) return known.value
    const value = parsed(text)
    atHand.push({ text, value })
    if (atHand.length > mostAtHand) atHand.shift()
    return value
  }
}
