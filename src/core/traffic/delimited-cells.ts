/**
 * Reads the cells of delimited values (CSV, RFC 4180): a cell in quotation marks may contain the delimiter, line ends and
 * doubled quotation marks.
 */

interface DelimitedCell {
  /** Offset in the text. */
  readonly at: number
  readonly written: string
  /** Without quotation marks and the space around it. */
  readonly value: string
  /** What ends it: the delimiter, a line end, or nothing at the end of the text. */
  readonly end: string
}

/** A cell, in quotes or without, with what ends it. */
const cellWith = (delimiter: string): RegExp => {
  const sign = delimiter === '|' ? String.raw`\|` : delimiter
  return new RegExp(
    String.raw`([ ]*"[^"]*(?:""[^"]*)*"[ ]*|[^"${sign}\r\n][^${sign}\r\n]*|)(${sign}|\r?\n|$)`,
    'y',
  )
}

export const cellValue = (written: string): string =>
  /^\s*"/.test(written) ? written.trim().slice(1, -1).replaceAll('""', '"') : written.trim()

/** Ends before a cell that is broken: its quotation mark is never closed, or text follows the closing one. */
export function* delimitedCells(
  text: string,
  delimiter: string,
  from = 0,
): Generator<DelimitedCell, void> {
  const cell = cellWith(delimiter)
  for (let at = from; at < text.length;) {
    cell.lastIndex = at
    const [whole = '', written = '', end = ''] = cell.exec(text) ?? []
    if (whole === '') return
    yield { at, written, value: cellValue(written), end }
    at += whole.length
  }
}
