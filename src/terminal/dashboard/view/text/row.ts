/**
 * A screen row as data: spans of text with a tone each. Panes make rows, `paint.ts` renders them. Rows contain no
 * colours, so tests read them as plain text.
 */
import { cellWidth, cutToCells, fitToCells } from './cells.ts'

/** Meaning of a piece of text; a palette defines its look. */
export type Tone = 'plain' | 'strong' | 'muted' | 'accent' | 'ok' | 'warn' | 'err' | 'info'

export interface Span {
  readonly text: string
  readonly tone?: Tone
  /** The key that a click on it presses. */
  readonly key?: string
}

export interface Row {
  readonly spans: readonly Span[]
  /** Marks the chosen row of a list; `here` in the focused pane. */
  readonly chosen?: 'here' | 'elsewhere'
  /** What a click on it chooses: a number or an id in the list of its pane, the target in an open list. */
  readonly click?: string | number
}

export const span = (text: string, tone: Tone = 'plain'): Span => ({ text, tone })

export const row = (...spans: readonly Span[]): Row => ({ spans })

export const emptyRow: Row = { spans: [] }

export const plainText = ({ spans }: Row): string => spans.map(({ text }) => text).join('')

export const widthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { text }) => sum + cellWidth(text), 0)

/** One column of a row; without a width it takes the remaining cells. */
export interface Cell {
  readonly text: string
  readonly width?: number
  readonly align?: 'left' | 'right'
  readonly tone?: Tone
  /** Dim text after it, if there is room. */
  readonly more?: string
}

/** Columns separated by one blank, in exactly `width` cells. */
export function columnSpans(width: number, list: readonly Cell[]): readonly Span[] {
  const fixed = list.reduce((sum, { width: own = 0 }) => sum + own, 0) + list.length - 1
  const flexible = list.filter(({ width: own }) => own === undefined).length
  const room = Math.max(0, width - fixed)
  const share = flexible === 0 ? 0 : Math.floor(room / flexible)
  let extra = flexible === 0 ? 0 : room - share * flexible
  const spans: Span[] = []
  for (const [index, cell] of list.entries()) {
    let own = cell.width
    if (own === undefined) {
      own = share + (extra > 0 ? 1 : 0)
      extra = Math.max(0, extra - 1)
    }
    spans.push(...(index === 0 ? [] : [span(' ')]), ...cellSpans(cell, own))
  }
  return spans
}

function cellSpans({ text, align, tone, more }: Cell, width: number): readonly Span[] {
  const fitted = fitToCells(text, width)
  const room = width - cellWidth(fitted)
  if (more !== undefined && room > 2) {
    const behind = fitToCells(more, room - 2)
    const gap = ' '.repeat(room - 2 - cellWidth(behind))
    return [span(fitted, tone), span(`  ${behind}${gap}`, 'muted')]
  }
  const gap = ' '.repeat(Math.max(0, room))
  return [span(align === 'right' ? gap + fitted : fitted + gap, tone)]
}

/** Text at the left and the right of one row; the left one is cut first. */
export function rowWithEnds(width: number, left: readonly Span[], right: readonly Span[]): Row {
  const rightWidth = widthOf(right)
  const room = Math.max(0, width - rightWidth - (right.length > 0 ? 1 : 0))
  const cutLeft = cutSpans(left, room)
  const gap = Math.max(0, width - widthOf(cutLeft) - rightWidth)
  return { spans: cutSpans([...cutLeft, span(' '.repeat(gap)), ...right], width) }
}

/** Cuts spans to at most `width` cells. */
export function cutSpans(spans: readonly Span[], width: number): readonly Span[] {
  const kept: Span[] = []
  let room = width
  for (const each of spans) {
    if (room <= 0) break
    const own = cellWidth(each.text)
    if (own <= room) kept.push(each)
    else kept.push({ ...each, text: fitToCells(each.text, room) })
    room -= own
  }
  return kept
}

/** The first pairs (key, name) that fit whole; half a name would be useless. */
export function fittingPairs(pairs: readonly Span[], width: number): readonly Span[] {
  const kept: Span[] = []
  for (let index = 0; index < pairs.length; index += 2) {
    const pair = pairs.slice(index, index + 2)
    if (widthOf(kept) + widthOf(pair) > width) break
    kept.push(...pair)
  }
  return kept
}

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
  return rows.map((words) => row(...words))
}
