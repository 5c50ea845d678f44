/** Prints rows as aligned columns, two spaces apart, so that awk can split them. */
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { printLine, type Io } from '../../../terminal/cli/io.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string | number | undefined
  readonly right?: true
}

const cellOf = <Row>({ cell }: Column<Row>, row: Row): string =>
  escapeControls(String(cell(row) ?? '-'))

function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  cellWidth: (text: string) => number,
): readonly string[] {
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)))
  const titles = columns.map(({ title }) => title)
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...cells].map((line) => cellWidth(line[index] ?? ''))),
  )
  return [titles, ...cells].map((line) =>
    line
      .map((cell, index) => {
        const gap = ' '.repeat(Math.max(0, (widths[index] ?? 0) - cellWidth(cell)))
        return columns[index]?.right ? gap + cell : cell + gap
      })
      .join('  ')
      .trimEnd(),
  )
}

const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`

/** Prints a table to stdout, or `nothing` to stderr when there are no rows. */
export async function printTable<Row>(
  io: Io,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  nothing: string,
): Promise<void> {
  if (rows.length === 0) return printLine(io.stderr, nothing)
  // Loaded on demand: the measure of wide characters is a library.
  const { cellWidth } = await import('../../../terminal/dashboard/view/text/cells.ts')
  const [head = '', ...lines] = tableLines(rows, columns, cellWidth)
  await printLine(io.stdout, [io.color ? dim(head) : head, ...lines].join('\n'))
}
