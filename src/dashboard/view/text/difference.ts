/** The words for what differs, wherever it is told: on the dashboard, and by reporters. */
import { formatDuration } from '../../../protocol/duration.ts'
import type { Comparator, Difference } from '../../../traffic/difference/difference.ts'
import { pad, wrap } from './cells.ts'

/** A value as JSON. */
export const valueText = (value: unknown): string =>
  value === undefined ? '(none)' : (JSON.stringify(value) ?? typeof value)

export const placeText = ({ side, where }: Pick<Difference, 'side' | 'where'>): string =>
  `${side} ${where || '/'}`

/** A comparator in the words of a rules file. */
export function comparatorText(comparator: Comparator): string {
  const { as } = comparator
  if (as === 'keyed') return `keyed by ${comparator.by}`
  if (as === 'number') return `number within ${comparator.within}`
  if (as === 'time' && comparator.within !== undefined)
    return `time within ${formatDuration(comparator.within)}`
  return as
}

/** Rows of one value: it is whole elsewhere. */
const maxValueRows = 6

export interface Half {
  /** Cells of one text. */
  readonly width: number
  /** The last row of a text that goes on, made of what would have stood there. */
  readonly cut: (row: string) => string
}

function wrappedRows(text: string, { width, cut }: Half): readonly string[] {
  const rows = wrap(text, width)
  if (rows.length <= maxValueRows) return rows
  return [...rows.slice(0, maxValueRows - 1), cut(rows[maxValueRows - 1] ?? '')]
}

/** Two texts beside each other, the recorded one left and the live one right: the left one is filled up with blanks. */
export function beside(
  left: string,
  right: string,
  half: Half,
): readonly (readonly [left: string, right: string])[] {
  const lefts = wrappedRows(left, half)
  const rights = wrappedRows(right, half)
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) => [
    pad(lefts[index] ?? '', half.width),
    rights[index] ?? '',
  ])
}
