/**
 * Two rows of things side by side, so that as much as possible of the one stands beside its like in the other. What has
 * nothing beside it was taken out or put in: that one thing, and not everything behind it.
 */

export interface Beside {
  readonly left?: number
  readonly right?: number
}

/** Above so many comparisons everything stands beside what has its number. */
const mostCells = 4_000_000

const pair = (left: number, right: number): Beside => ({ left, right })

/** What does not fit at all stands alone, there too. */
function byPosition({ left, right, fits }: Omit<Rows, 'best'>): readonly Beside[] {
  return Array.from({ length: Math.max(left, right) }, (_, index): readonly Beside[] => {
    if (index >= right) return [{ left: index }]
    if (index >= left) return [{ right: index }]
    return fits(index, index) > 0 ? [pair(index, index)] : [{ left: index }, { right: index }]
  }).flat()
}

/** What `align` is told of two rows. */
export interface Rows {
  readonly left: number
  readonly right: number
  /** How well two fit beside each other: 0 not at all; the sum of all is made as large as it can be. */
  readonly fits: (left: number, right: number) => number
  /** What two get that could not fit better: those at both ends need no search. */
  readonly best: number
}

/** The best way to put two rows side by side: every number of either stands in it once, in order. */
export function align({ left, right, fits, best }: Rows): readonly Beside[] {
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
    rows * columns > mostCells
      ? byPosition({ left: rows, right: columns, fits: inside })
      : searched(rows, columns, inside)
  return [
    ...head,
    ...middle.map((each) => ({
      ...(each.left === undefined ? {} : { left: each.left + start }),
      ...(each.right === undefined ? {} : { right: each.right + start }),
    })),
    ...tail,
  ]
}

function searched(
  rows: number,
  columns: number,
  fits: (row: number, column: number) => number,
): readonly Beside[] {
  const width = columns + 1
  const gain = new Float64Array(rows * columns)
  /** The most that the rest behind a row and a column can give. */
  const most = new Float64Array((rows + 1) * width)
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--) {
      const here = fits(row, column)
      gain[row * columns + column] = here
      most[row * width + column] = Math.max(
        here > 0 ? here + (most[(row + 1) * width + column + 1] ?? 0) : 0,
        most[(row + 1) * width + column] ?? 0,
        most[row * width + column + 1] ?? 0,
      )
    }
  const found: Beside[] = []
  let row = 0
  let column = 0
  while (row < rows && column < columns) {
    const here = gain[row * columns + column] ?? 0
    const total = most[row * width + column] ?? 0
    if (here > 0 && total === here + (most[(row + 1) * width + column + 1] ?? 0)) {
      found.push(pair(row++, column++))
    } else if (total === most[(row + 1) * width + column]) found.push({ left: row++ })
    else found.push({ right: column++ })
  }
  while (row < rows) found.push({ left: row++ })
  while (column < columns) found.push({ right: column++ })
  return found
}
