/** YAML writer for readable scenario files: short values on one line, long ones as blocks. Round-trips with any parser. */
import { isGroup } from '../protocol/group.ts'

const longestLine = 96

/** Plain words that YAML does not parse as a string. */
const notText = /^(true|false|null|yes|no|on|off|y|n|~|[-+.]?\d.*|[-+]?\.(inf|nan))$/i
const plainText = /^[A-Za-z_][A-Za-z0-9_./@+-]*( [A-Za-z0-9_./@+-]+)*$/

/** `5s`: begins like a number, but is a string in YAML. */
const duration = /^\d+(\.\d+)?(ms|s|m|h)$/

const textOf = (text: string): string =>
  duration.test(text) || (plainText.test(text) && !notText.test(text)) ? text : JSON.stringify(text)

const entriesOf = (group: Readonly<Record<string, unknown>>): readonly [string, unknown][] =>
  Object.entries(group).filter(([, value]) => value !== undefined)

/** Flow style, on one line. */
function inLine(value: unknown): string {
  if (typeof value === 'string') return textOf(value)
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(inLine).join(', ')}]`
  if (!isGroup(value)) return JSON.stringify(value) ?? 'null'
  const entries = entriesOf(value).map(([key, each]) => `${textOf(key)}: ${inLine(each)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isGroup(value) && entriesOf(value).length === 0

/** Whether a value fits on the line of its key or dash. */
const fits = (value: unknown, taken: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  isEmpty(value) ||
  taken + inLine(value).length <= longestLine

function below(value: unknown, margin: string, top: boolean): string {
  if (Array.isArray(value)) return value.map((each) => item(each, margin)).join('\n')
  if (!isGroup(value)) return `${margin}${inLine(value)}`
  return entriesOf(value)
    .map(([key, each]) => {
      const head = `${margin}${textOf(key)}:`
      // Top-level groups and lists of objects are always blocks.
      const opened = top && isGroup(each) && !isEmpty(each)
      const listed = top && Array.isArray(each) && each.some((one) => typeof one === 'object')
      return !opened && !listed && fits(each, head.length + 1)
        ? `${head} ${inLine(each)}`
        : `${head}\n${below(each, `${margin}  `, false)}`
    })
    .join('\n')
}

function item(value: unknown, margin: string): string {
  const head = `${margin}- `
  const single = isGroup(value) && entriesOf(value).length === 1
  if (!single && fits(value, head.length)) return `${head}${inLine(value)}`
  return `${head}${below(value, `${margin}  `, false).trimStart()}`
}

/** A document, in block style at the top level. */
export const yamlText = (value: unknown): string =>
  `${isEmpty(value) ? inLine(value) : below(value, '', true)}\n`
