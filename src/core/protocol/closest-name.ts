/**
 * Spelling suggestion: the known name with the smallest edit distance to `word`, undefined when none is near enough.
 */
export const findClosestName = (word: string, names: readonly string[]): string | undefined =>
  findClosestNames(word, names, 1)[0]

/** The known names with the smallest edit distance to `word`, at most `max`; none when none is near enough. */
export function findClosestNames(
  word: string,
  names: readonly string[],
  max: number,
): readonly string[] {
  const lowerWord = word.toLowerCase()
  const tolerance = Math.max(2, Math.floor(word.length / 3))
  const changes = names.map((name) => ({
    name,
    count: changesBetween(lowerWord, name.toLowerCase()),
  }))
  const minimum = Math.min(...changes.map(({ count }) => count))
  if (minimum > tolerance) return []
  const nearest = changes.filter(({ count }) => count === minimum).map(({ name }) => name)
  return [...new Set(nearest)].slice(0, max)
}

/** An abbreviation counts as one change. */
const changesBetween = (word: string, name: string): number =>
  name.startsWith(word) && word.length > 1 ? 1 : distance(word, name)

/** Share of the characters of a name that may differ. */
const maxUnlike = 0.4

/** Names of several words that contain `word` or are spelt like it, nearest first. */
export function findSimilarNames(
  word: string,
  names: readonly string[],
  max: number,
): readonly string[] {
  const lowerWord = word.trim().toLowerCase()
  const likeness = (name: string): number => distance(lowerWord, name) / name.length
  const rated = names.map((name) => {
    const lowerName = name.toLowerCase()
    const contains = lowerWord.length > 2 && lowerName.includes(lowerWord)
    const parts = [lowerName, ...lowerName.split(/\s+/)].filter((part) => part !== '')
    return { name, unlike: contains ? 0 : Math.min(...parts.map(likeness)) }
  })
  return rated
    .filter(({ unlike }) => unlike <= maxUnlike)
    .toSorted((a, b) => a.unlike - b.unlike)
    .slice(0, max)
    .map(({ name }) => name)
}

/** Damerau-Levenshtein distance (optimal string alignment): characters to insert, delete, replace or transpose. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return Infinity
  let twoAbove: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      let cell = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + same,
      )
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cell = Math.min(cell, (twoAbove[column - 2] ?? Infinity) + 1)
      line.push(cell)
    }
    twoAbove = above
    above = line
  }
  return above[b.length] ?? Infinity
}
