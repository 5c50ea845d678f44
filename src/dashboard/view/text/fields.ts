/** Rows of details: headings, indented text, named fields. */
import { type Row, row, span, type Tone } from './row.ts'

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
