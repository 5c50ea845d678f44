/**
 * Sequence alignment by dynamic programming (longest common subsequence with scores). An element without a partner
 * was removed or inserted; the elements after it stay aligned.
 */

export interface AlignedPair {
  readonly left?: number
  readonly right?: number
}

/** Above this many matrix cells, elements are paired by index. */
const maxCells = 4_000_000

const pair = (left: number, right: number): AlignedPair => ({ left, right })

/** Elements with a score of 0 are not paired, here too. */
function byPosition({
  left,
  right,
  score: fits,
}: Omit<AlignmentInput, 'best'>): readonly AlignedPair[] {
  return Array.from({ length: Math.max(left, right) }, (_, index): readonly AlignedPair[] => {
    if (index >= right) return [{ left: index }]
    if (index >= left) return [{ right: index }]
    return fits(index, index) > 0 ? [pair(index, index)] : [{ left: index }, { right: index }]
  }).flat()
}

/** Lengths and scoring of the two sequences. */
export interface AlignmentInput {
  readonly left: number
  readonly right: number
  /** Score of a pair; 0 means that the two may not be paired. The sum over all pairs is maximised. */
  readonly score: (left: number, right: number) => number
  /** The highest score a pair can have: a common prefix and suffix of such pairs needs no search. */
  readonly best: number
}

/** The alignment with the highest total score; each index of either side occurs once, in order. */
export function align({ left, right, score: fits, best }: AlignmentInput): readonly AlignedPair[] {
  let start = 0
  while (start < left && start < right && fits(start, start) === best) start++
  let end = 0
  while (
    end < left - start &&
    end < right - start &&
    fits(left - 1 - end, right - 1 - end) === best
  )
    end++
  const head = Array.from({ length: start }, (_, index) => pair(index, index))
  const tail = Array.from({ length: end }, (_, index) =>
    pair(left - end + index, right - end + index),
  )
  const rows = left - start - end
  const columns = right - start - end
  const inside = (row: number, column: number): number => fits(start + row, start + column)
  const middle =
    rows * columns > maxCells
      ? byPosition({ left: rows, right: columns, score: inside })
      : alignByScore(rows, columns, inside)
  return [
    ...head,
    ...middle.map((each) => ({
      ...(each.left === undefined ? {} : { left: each.left + start }),
      ...(each.right === undefined ? {} : { right: each.right + start }),
    })),
    ...tail,
  ]
}

function alignByScore(
  rows: number,
  columns: number,
  fits: (row: number, column: number) => number,
): readonly AlignedPair[] {
  const width = columns + 1
  const gain = new Float64Array(rows * columns)
  /** Highest total score of the suffixes that begin at a row and a column. */
  const bestTotals = new Float64Array((rows + 1) * width)
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--) {
      const here = fits(row, column)
      gain[row * columns + column] = here
      bestTotals[row * width + column] = Math.max(
        here > 0 ? here + (bestTotals[(row + 1) * width + column + 1] ?? 0) : 0,
        bestTotals[(row + 1) * width + column] ?? 0,
        bestTotals[row * width + column + 1] ?? 0,
      )
    }
  const aligned: AlignedPair[] = []
  let row = 0
  let column = 0
  while (row < rows && column < columns) {
    const here = gain[row * columns + column] ?? 0
    const total = bestTotals[row * width + column] ?? 0
    if (here > 0 && total === here + (bestTotals[(row + 1) * width + column + 1] ?? 0)) {
      aligned.push(pair(row++, column++))
    } else if (total === bestTotals[(row + 1) * width + column]) aligned.push({ left: row++ })
    else aligned.push({ right: column++ })
  }
  while (row < rows) aligned.push({ left: row++ })
  while (column < columns) aligned.push({ right: column++ })
  return aligned
}
