/** Pretty-prints JSON with tones for names and values. Text that is not JSON stays as it is. */
import { indentedJson } from '../../../../core/traffic/json/lossless-json.ts'
import { wrapToCells } from './cells.ts'
import { type Row, row, type Span, span, type Tone } from './row.ts'

/** Rows of a body; long lines are wrapped, nothing is cut off. */
export function bodyRows(body: string | undefined, width: number): readonly Row[] {
  if (body === undefined || body === '') return [row(span('(no body)', 'muted'))]
  const indented = indentedJson(body)
  if (indented !== undefined) return indentedRows(indented, width)
  return body
    .split(/\r?\n/)
    .flatMap((line) => wrapToCells(line, width).map((text) => row(span(text))))
}

const indentedRows = (text: string, width: number): readonly Row[] =>
  text.split('\n').flatMap((line) => jsonLineRows(line, width))

export const jsonValueRows = (value: unknown, width: number): readonly Row[] =>
  indentedRows(JSON.stringify(value, null, 2) ?? 'undefined', width)

const fieldPattern = /^(\s*)("(?:[^"\\]|\\.)*")(: )(.*)$/

function jsonLineRows(line: string, width: number): readonly Row[] {
  const match = fieldPattern.exec(line)
  const spans: readonly Span[] = match
    ? [
        span(match[1] ?? ''),
        span(match[2] ?? '', 'info'),
        span(match[3] ?? '', 'muted'),
        span(match[4] ?? '', toneOf(match[4] ?? '')),
      ]
    : [span(line, toneOf(line.trim()))]
  const text = spans.map((each) => each.text).join('')
  const lines = wrapToCells(text, width)
  return lines.length === 1 ? [{ spans }] : lines.map((each) => row(span(each)))
}

function toneOf(value: string): Tone {
  if (value.startsWith('"')) return 'ok'
  return /^(?:-?\d|true|false|null)/.test(value) ? 'warn' : 'muted'
}

export const heading = (text: string, tone: Tone = 'strong'): Row => row(span(` ${text}`, tone))

export const indent = (rows: readonly Row[]): readonly Row[] =>
  rows.map(({ spans }) => ({ spans: [span(' '), ...spans] }))

export const fieldRows = (
  ...pairs: readonly (readonly [string, string | undefined])[]
): readonly Row[] =>
  pairs.flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [row(span(` ${name.padEnd(8)}`, 'muted'), span(value))],
  )
