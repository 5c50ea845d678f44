/** Plain text search: whether a text contains all words of a query, in any order and case. */

export type TextTest = (text: string) => boolean

/** A test for a query; undefined for an empty one, which nothing is searched for. */
export function containsWords(query: string | undefined): TextTest | undefined {
  const text = (query ?? '').trim().toLowerCase()
  if (text === '') return undefined
  const words = text.split(/\s+/)
  return (searched) => {
    const lower = searched.toLowerCase()
    return words.every((word) => lower.includes(word))
  }
}
