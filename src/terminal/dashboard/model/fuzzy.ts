/**
 * Fuzzy matching for the palette: the letters of each word of the query occur in the text in their order. Beginnings of
 * words and letters side by side score higher, so `dup` finds "duplicate it" and `faddd` "fault: add drop".
 */

export interface FuzzyMatch {
  readonly score: number
  /** Indices of the matched characters, ascending. */
  readonly positions: readonly number[]
}

const letterScore = 1
const wordStartBonus = 8
const adjacentBonus = 6
const gapPenalty = 3
/** Per character before the first match: an early match is a better one. */
const lateStartPenalty = 0.05
/** Per character of the text: of equal matches the shorter text is better. */
const lengthPenalty = 0.01

const isWordStart = (text: string, index: number): boolean =>
  index === 0 || !/[\p{L}\p{N}]/u.test(text[index - 1] ?? '')

/** The best placement of the letters of one word; undefined when they do not occur in this order. */
function matchWord(word: string, text: string): FuzzyMatch | undefined {
  let previous: readonly number[] = []
  const cameFrom: number[][] = []
  for (const [place, letter] of word.split('').entries()) {
    const scores = Array.from({ length: text.length }, () => -Infinity)
    const from = Array.from({ length: text.length }, () => -1)
    /** The best end of the letters before this one, at least one character away. */
    let apart = -1
    for (let index = place; index < text.length; index++) {
      if (index >= 2 && (previous[index - 2] ?? -Infinity) > (previous[apart] ?? -Infinity))
        apart = index - 2
      if (text[index] !== letter) continue
      const own = letterScore + (isWordStart(text, index) ? wordStartBonus : 0)
      if (place === 0) scores[index] = own - index * lateStartPenalty
      else {
        const adjacent = (previous[index - 1] ?? -Infinity) + adjacentBonus
        const jumped = (previous[apart] ?? -Infinity) - gapPenalty
        scores[index] = own + Math.max(adjacent, jumped)
        from[index] = adjacent >= jumped ? index - 1 : apart
      }
    }
    cameFrom.push(from)
    previous = scores
  }
  const score = Math.max(...previous, -Infinity)
  if (score === -Infinity) return undefined
  const positions: number[] = []
  let index = previous.indexOf(score)
  for (let place = cameFrom.length - 1; place >= 0; place--) {
    positions.unshift(index)
    index = cameFrom[place]?.[index] ?? -1
  }
  return { score, positions }
}

/** Matches all words of a query, in any order; an empty query matches everything. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const lower = text.toLowerCase()
  let score = query.trim() === '' ? 0 : -text.length * lengthPenalty
  const positions = new Set<number>()
  for (const word of query
    .toLowerCase()
    .split(/\s+/)
    .filter((each) => each !== '')) {
    const match = matchWord(word, lower)
    if (!match) return undefined
    score += match.score
    for (const position of match.positions) positions.add(position)
  }
  return { score, positions: [...positions].toSorted((a, b) => a - b) }
}
