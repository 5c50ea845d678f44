/**
 * YAML writer for readable scenario files: short values on one line, long ones as blocks. Round-trips with any parser.
 */
import { isUnknownRecord } from '../protocol/unknown-record.ts'

const maxLineLength = 96

/** Plain words that YAML does not parse as a string. */
const nonStringPattern = /^(true|false|null|yes|no|on|off|y|n|~|[-+.]?\d.*|[-+]?\.(inf|nan))$/i
const plainStringPattern = /^[A-Za-z_][A-Za-z0-9_./@+-]*( [A-Za-z0-9_./@+-]+)*$/

/** `5s`: begins like a number, but is a string in YAML. */
const durationPattern = /^\d+(\.\d+)?(ms|s|m|h)$/

const textOf = (text: string): string =>
  durationPattern.test(text) || (plainStringPattern.test(text) && !nonStringPattern.test(text))
    ? text
    : JSON.stringify(text)

const entriesOf = (group: Readonly<Record<string, unknown>>): readonly [string, unknown][] =>
  Object.entries(group).filter(([, value]) => value !== undefined)

/** Flow style, on one line. `write` quotes a text where it has to be. */
export function flowText(value: unknown, write = textOf): string {
  if (typeof value === 'string') return write(value)
  if (Array.isArray(value)) return `[${value.map((each) => flowText(each, write)).join(', ')}]`
  if (!isUnknownRecord(value)) return JSON.stringify(value) ?? 'null'
  const entries = entriesOf(value).map(([key, each]) => `${write(key)}: ${flowText(each, write)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length === 0
    : isUnknownRecord(value) && entriesOf(value).length === 0

/** Whether a value fits on the line of its key or dash. */
const fitsOnLine = (value: unknown, taken: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  isEmpty(value) ||
  taken + flowText(value).length <= maxLineLength

function blockText(value: unknown, indent: string, top: boolean): string {
  if (Array.isArray(value)) return value.map((each) => listItemText(each, indent)).join('\n')
  if (!isUnknownRecord(value)) return `${indent}${flowText(value)}`
  return entriesOf(value)
    .map(([key, each]) => {
      const head = `${indent}${textOf(key)}:`
      // Top-level groups and lists of objects are always blocks.
      const opened = top && isUnknownRecord(each) && !isEmpty(each)
      const listed = top && Array.isArray(each) && each.some((one) => typeof one === 'object')
      return !opened && !listed && fitsOnLine(each, head.length + 1)
        ? `${head} ${flowText(each)}`
        : `${head}\n${blockText(each, `${indent}  `, false)}`
    })
    .join('\n')
}

function listItemText(value: unknown, indent: string): string {
  const head = `${indent}- `
  const single = isUnknownRecord(value) && entriesOf(value).length === 1
  if (!single && fitsOnLine(value, head.length)) return `${head}${flowText(value)}`
  return `${head}${blockText(value, `${indent}  `, false).trimStart()}`
}

/** A document, in block style at the top level. */
export const yamlText = (value: unknown): string =>
  `${isEmpty(value) ? flowText(value) : blockText(value, '', true)}\n`
