/** Plain text search: whether a text contains all words of a query, in any order and case. */

export type TextTest = (text: string) => boolean

/** A test for a query; undefined for an empty one, which nothing is searched for. */
export function containsWords(query: string | undefined): TextTest | undefined {
  const words = (query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return undefined
  return (text) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
}
