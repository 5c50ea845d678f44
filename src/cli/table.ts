/** Rows as aligned columns, two spaces between them: easy on the eye, and easy for awk. */
import { sayLine, type Io } from './io.ts'

export interface Column<Row> {
  readonly title: string
  readonly of: (row: Row) => string | number | undefined
  readonly right?: true
}

/** No data may break a line or colour a terminal: what cannot be printed is left out. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')

const cellOf = <Row>({ of }: Column<Row>, row: Row): string => plain(String(of(row) ?? '-'))

function tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): readonly string[] {
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)))
  const titles = columns.map(({ title }) => title)
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...cells].map((line) => line[index]?.length ?? 0)),
  )
  return [titles, ...cells].map((line) =>
    line
      .map((cell, index) => {
        const width = widths[index] ?? 0
        return columns[index]?.right ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
}

const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`

/** A list for people: a table on stdout, or a word on stderr when there is nothing to list. */
export async function sayTable<Row>(
  io: Io,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  nothing: string,
): Promise<void> {
  if (rows.length === 0) return sayLine(io.stderr, nothing)
  const [head = '', ...lines] = tableLines(rows, columns)
  await sayLine(io.stdout, [io.color ? dim(head) : head, ...lines].join('\n'))
}
