/**
 * Redacts tables of delimited values (CSV): the first row names the columns, which are keys as those of any document.
 * Unchanged cells keep their spelling.
 */
import { cellValue, delimitedCells } from '../delimited-cells.ts'
import { classForKey, type KeyMeaning, keyMeaningOf, hasClass } from './keys.ts'
import { type DocumentTopic, type RedactionWalk, redactValue } from './walk.ts'

const delimiters = [',', ';', '\t', '|']
const columnName = /^[\p{L}_][\p{L}\p{M}\d _.()/-]{0,40}$/u

interface TableHead {
  readonly delimiter: string
  readonly columns: readonly KeyMeaning[]
}

/** The names of the columns; undefined when the first line has none that tell what is in them. */
function headOf(text: string): TableHead | undefined {
  const [first = '', second = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 2)
  for (const delimiter of delimiters) {
    const cells = first.split(delimiter).map(cellValue)
    if (cells.length < 2 || second.split(delimiter).length < cells.length) continue
    if (!cells.every((cell) => columnName.test(cell))) continue
    const columns = cells.map(keyMeaningOf)
    if (columns.some(hasClass)) return { delimiter, columns }
  }
  return undefined
}

const writeCell = (value: string, was: string, delimiter: string): string => {
  const [, before = '', after = ''] = /^(\s*)[\s\S]*?(\s*)$/.exec(was) ?? []
  const isQuoted = /^\s*"/.test(was) || value.includes(delimiter) || /["\r\n]/.test(value)
  return before + (isQuoted ? `"${value.replaceAll('"', '""')}"` : value) + after
}

/** The table redacted; undefined when the text is none. */
export function redactTable(
  walk: RedactionWalk,
  text: string,
  path: string,
  root: DocumentTopic,
): string | undefined {
  const head = headOf(text)
  if (!head) return undefined
  const { delimiter, columns } = head
  // Next to a column of e-mail addresses or telephone numbers a column of names is of people.
  const person =
    root.person ?? (columns.some(({ always }) => always?.identifiesPerson === true) || undefined)
  const start = text.indexOf('\n') + 1
  let result = text.slice(0, start)
  let column = 0
  let at = start
  for (const { written, value, end } of delimitedCells(text, delimiter, start)) {
    const meaning = columns[column] ?? keyMeaningOf('')
    const definition = classForKey(meaning, value, { ...root, person })
    const place = { path: `${path}/${meaning.name}`, quiet: meaning.isId }
    const next = redactValue(walk, definition, value, place)
    result += (next === value ? written : writeCell(next, written, delimiter)) + end
    column = end === delimiter ? column + 1 : 0
    at += written.length + end.length
  }
  // A quotation mark that is never closed.
  return at < text.length ? result + walk.text(walk, text.slice(at), path, false) : result
}
