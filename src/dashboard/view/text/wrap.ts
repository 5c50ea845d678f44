/** Wraps spans between words, keeping their tones. */
import { cellWidth, cutToCells } from './cells.ts'
import { type Row, type Span, span, widthOf } from './row.ts'

interface Word extends Span {
  /** It follows a blank, or begins with one. */
  readonly isSeparate: boolean
}

const wordsOf = (spans: readonly Span[]): readonly Word[] =>
  spans.flatMap(({ text, tone = 'plain' }) =>
    text
      .split(/(?<=\S)(?=\s)|(?<=^\s)(?=\S)/u)
      .filter((word) => word !== '')
      .map((word) => ({ text: word, tone, isSeparate: /^\s/.test(word) })),
  )

/** Cuts a word that is wider than a row into pieces that fit. */
function piecesOf(word: Word, width: number): readonly Word[] {
  const pieces: Word[] = []
  let rest = word.text
  while (cellWidth(rest) > width) {
    const piece = cutToCells(rest, width)
    // A grapheme that is wider than the row.
    if (piece === '') break
    pieces.push({ ...word, text: piece })
    rest = rest.slice(piece.length)
  }
  return [...pieces, { ...word, text: rest }]
}

/** Rows of at most `width` cells; every row but the first is indented by one blank. */
export function wrapSpans(spans: readonly Span[], width: number): readonly Row[] {
  const rows: Span[][] = [[]]
  for (const word of wordsOf(spans).flatMap((each) => piecesOf(each, Math.max(1, width - 1)))) {
    const current = rows.at(-1) ?? []
    if (current.length > 0 && widthOf([...current, word]) > width)
      rows.push([span(' '), span(word.text.trimStart(), word.tone)])
    else current.push(span(word.text, word.tone))
  }
  return rows.map((row) => ({ spans: row }))
}
