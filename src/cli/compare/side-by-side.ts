/** Lays out two values in columns, recorded left and live right, within the terminal width. */
import { fit } from '../../dashboard/view/text/cells.ts'
import { beside } from '../../dashboard/view/text/difference.ts'

const separator = ' | '
const minColumns = 24

/** Rows of both texts; long values are cut. `columns` is the total width including `indent`. */
export function sideBySide(
  left: string,
  right: string,
  { columns, indent }: { readonly columns: number; readonly indent: number },
): readonly (readonly [left: string, right: string])[] {
  const room = Math.max(minColumns, columns - indent)
  const width = Math.floor((room - separator.length) / 2)
  const cut = (row: string): string => fit(`${row} …`, width, '…')
  return beside(left, right, { width, cut }).map(([one, other]) => [one + separator, other])
}
