/**
 * Parses a table (CSV) whose first row names its columns to a list of objects, with the location of each cell. Commas,
 * semicolons and tabs are understood as delimiters.
 */
import { findClosestName } from '../../protocol/closest-name.ts'
import type { ParsedText } from './source-location.ts'
import type { ValuePath } from '../../protocol/issue-text.ts'

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

const cellValue = (written: string): string =>
  /^\s*"/.test(written) ? written.trim().slice(1, -1).replaceAll('""', '"') : written.trim()

/**
 * Reads the cells of delimited values (CSV, RFC 4180): a cell in quotation marks may contain the
 * delimiter, line ends and doubled quotation marks. Ends before a cell that is broken: its
 * quotation mark is never closed, or text follows the closing one.
 */
function* delimitedCells(
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

export interface TableColumn {
  /** The name of the column, and others that mean the same. Case, spaces and punctuation do not matter. */
  readonly names: readonly [string, ...string[]]
  /** Where its cells go in the object of a row. */
  readonly path: readonly [string, ...string[]]
  readonly required?: true
}

type Location = ReturnType<ParsedText['locationOf']>

interface TableProblem {
  readonly place: Location
  readonly wrong: string
  readonly remedy: string
}

interface ParsedTable {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** What is wrong with the form of the table; its rows are then not complete. */
  readonly problems: readonly TableProblem[]
  readonly locationOf: (path: ValuePath) => Location
}

interface Cell {
  readonly value: string
  readonly at: number
}

const delimiters = [',', ';', '\t'] as const
const delimiterNames = { ',': 'a comma', ';': 'a semicolon', '\t': 'a tab' } as const

/** The delimiter that occurs most often in the first line. */
function delimiterOf(text: string): (typeof delimiters)[number] {
  const [head = ''] = text.split(/\r?\n/, 1)
  const count = (delimiter: string): number => head.split(delimiter).length
  return delimiters.reduce((best, each) => (count(each) > count(best) ? each : best))
}

const normalized = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')

function locator(text: string): (offset: number) => Location {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const after = starts.findIndex((start) => start > offset)
    const line = after < 0 ? starts.length : after
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
  }
}

/** The rows that are not empty, and the offset at which a broken cell ended the reading. */
function rowsOf(text: string, delimiter: string): { rows: readonly Cell[][]; brokenAt?: number } {
  const rows: Cell[][] = []
  let row: Cell[] = []
  let at = 0
  const endRow = (): void => {
    if (row.some(({ value }) => value !== '')) rows.push(row)
    row = []
  }
  for (const cell of delimitedCells(text, delimiter)) {
    row.push(cell)
    at = cell.at + cell.written.length + cell.end.length
    if (cell.end !== delimiter) endRow()
  }
  endRow()
  return { rows, ...(at < text.length ? { brokenAt: at } : {}) }
}

const nameOf = ({ names: [name, ...others] }: TableColumn): string =>
  others.length === 0 ? name : `${name} (or ${others.join(', ')})`

/** The columns in the order of the header; undefined for one that is not known. Those only inform other programs. */
function readHeader(
  head: readonly Cell[],
  columns: readonly TableColumn[],
  locationAt: (offset: number) => Location,
): { readonly found: readonly (TableColumn | undefined)[]; readonly problems: TableProblem[] } {
  const byName = new Map(
    columns.flatMap((column) => column.names.map((name) => [normalized(name), column] as const)),
  )
  const problems: TableProblem[] = []
  const report = (at: number, wrong: string, remedy: string): void => {
    problems.push({ place: locationAt(at), wrong, remedy })
  }
  const found = head.map(({ value }) => byName.get(normalized(value)))
  const absent = [...byName].filter(([, column]) => !found.includes(column))
  for (const [index, { value, at }] of head.entries()) {
    const column = found[index]
    const closest = findClosestName(
      normalized(value),
      absent.map(([name]) => name),
    )
    if (column && found.indexOf(column) < index)
      report(at, `the column ${column.names[0]} is there twice`, 'Remove one of them.')
    else if (!column && value !== '' && closest !== undefined)
      report(
        at,
        `the column "${value}" is not known`,
        `Did you mean "${byName.get(closest)?.names[0]}"?`,
      )
  }
  const missing = columns.filter((column) => column.required && !found.includes(column))
  if (missing.length > 0)
    report(
      0,
      `the first row names no column ${missing.map(nameOf).join(' and no column ')}`,
      `Columns: ${columns.map(nameOf).join(', ')}; others are ignored.`,
    )
  return { found, problems }
}

function objectOf(
  cells: readonly Cell[],
  found: readonly (TableColumn | undefined)[],
): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {}
  for (const [index, { value }] of cells.entries()) {
    const [first, second] = found[index]?.path ?? []
    if (first === undefined || value === '') continue
    if (second === undefined) row[first] = value
    else row[first] = { ...(row[first] as object | undefined), [second]: value }
  }
  return row
}

export function parseTableText(text: string, columns: readonly TableColumn[]): ParsedTable {
  const locationAt = locator(text)
  const delimiter = delimiterOf(text)
  const { rows, brokenAt } = rowsOf(text, delimiter)
  const [head = [], ...body] = rows
  const { found, problems } = readHeader(head, columns, locationAt)
  for (const cells of body) {
    const extra = cells[found.length]
    if (extra && cells.slice(found.length).some(({ value }) => value !== ''))
      problems.push({
        place: locationAt(extra.at),
        wrong: `the row has ${cells.length} cells, and the first row names ${found.length} columns`,
        remedy: `Put a cell with ${delimiterNames[delimiter]} in it into quotation marks.`,
      })
  }
  if (brokenAt !== undefined)
    problems.push({
      place: locationAt(brokenAt),
      wrong: 'a quotation mark is not closed, or text follows the closing one',
      remedy: 'Write a quotation mark inside of a quoted cell twice.',
    })
  return {
    rows: body.map((cells) => objectOf(cells, found)),
    problems,
    locationOf([index, ...path]) {
      const cells = body[Number(index)] ?? []
      const column = found.findIndex((each) => each?.path.every((key, at) => key === path[at]))
      // The row itself, where the cell is missing.
      return locationAt((cells[column] ?? cells[0])?.at ?? 0)
    },
  }
}
