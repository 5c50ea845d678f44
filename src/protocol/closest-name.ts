/** Spelling suggestion: the known name with the smallest edit distance to `word`, undefined when none is near enough. */
export function findClosestName(word: string, names: readonly string[]): string | undefined {
  const lowerWord = word.toLowerCase()
  let best: string | undefined
  let minChanges = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const name of names) {
    const changes =
      name.toLowerCase().startsWith(lowerWord) && lowerWord.length > 1
        ? 1
        : distance(lowerWord, name.toLowerCase())
    if (changes < minChanges) {
      minChanges = changes
      best = name
    }
  }
  return best
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
