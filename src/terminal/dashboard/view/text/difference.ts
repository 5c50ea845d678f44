/** Wording of differences, shared by the dashboard and the reporters. */
import { formatDuration } from '../../../../core/protocol/duration.ts'
import { visibleName } from '../../../../core/traffic/escape-controls.ts'
import type { Comparator, Difference } from '../../../../core/traffic/recording/difference.ts'
import { padToCells, wrapToCells } from './cells.ts'

/** A value as JSON. */
export const jsonValueText = (value: unknown): string =>
  value === undefined ? '(none)' : (JSON.stringify(value) ?? typeof value)

export const differencePlaceText = ({ side, where }: Pick<Difference, 'side' | 'where'>): string =>
  `${side} ${visibleName(where) || '/'}`

/** Text of a comparator, in the syntax of a rules file. */
export function comparatorText(comparator: Comparator): string {
  const { as } = comparator
  if (as === 'keyed') return `keyed by ${comparator.by}`
  if (as === 'number') return `number within ${comparator.within}`
  if (as === 'time' && comparator.within !== undefined)
    return `time within ${formatDuration(comparator.within)}`
  return as
}

/** Maximum number of rows of one value; it is shown in full elsewhere. */
const maxValueRows = 6

export interface ColumnPairOptions {
  /** Width of one column in cells. */
  readonly width: number
  /** Makes the last row of a cut text from the row that it replaces. */
  readonly cut: (row: string) => string
}

function wrappedRows(text: string, { width, cut }: ColumnPairOptions): readonly string[] {
  const rows = wrapToCells(text, width)
  if (rows.length <= maxValueRows) return rows
  return [...rows.slice(0, maxValueRows - 1), cut(rows[maxValueRows - 1] ?? '')]
}

/** Two wrapped texts side by side, recorded left and live right; the left one is padded with blanks. */
export function columnPairs(
  left: string,
  right: string,
  half: ColumnPairOptions,
): readonly (readonly [left: string, right: string])[] {
  const lefts = wrappedRows(left, half)
  const rights = wrappedRows(right, half)
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) => [
    padToCells(lefts[index] ?? '', half.width),
    rights[index] ?? '',
  ])
}
