/** Two values beside each other on a terminal, as wide as it is: the recorded one left, the live one right. */
import { fit, pad, wrap } from '../../dashboard/text/cells.ts'

const between = ' | '
const narrowest = 24
/** Rows of one value: whoever wants all of it asks for JSON. */
const mostRows = 6

/** A text in rows of at most so many cells; what is too long ends with a mark. */
function rowsOf(text: string, width: number): readonly string[] {
  const rows = wrap(text, width)
  if (rows.length <= mostRows) return rows
  return [...rows.slice(0, mostRows - 1), fit(`${rows[mostRows - 1] ?? ''} …`, width, '…')]
}

/** Rows of both texts. `columns` is the whole width, `indent` what stands before. */
export function sideBySide(
  left: string,
  right: string,
  { columns, indent }: { readonly columns: number; readonly indent: number },
): readonly (readonly [left: string, right: string])[] {
  const room = Math.max(narrowest, columns - indent)
  const width = Math.floor((room - between.length) / 2)
  const lefts = rowsOf(left, width)
  const rights = rowsOf(right, width)
  return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) => [
    pad(lefts[index] ?? '', width) + between,
    rights[index] ?? '',
  ])
}
