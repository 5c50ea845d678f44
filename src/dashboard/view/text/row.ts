/**
 * One row of the screen as data: spans of text with a meaning each. Panes make rows, `paint.ts` turns them into what
 * the terminal reads. A row knows nothing of colours, so tests read it as plain text.
 */
import { cells, fit } from './cells.ts'

/** What a piece of text means; a palette says how that looks. */
export type Tone = 'plain' | 'strong' | 'muted' | 'accent' | 'ok' | 'warn' | 'err' | 'info'

export interface Span {
  readonly text: string
  readonly tone?: Tone
}

export interface Row {
  readonly spans: readonly Span[]
  /** The chosen row of a list; `here` when its pane has the keys. */
  readonly chosen?: 'here' | 'elsewhere'
}

export const span = (text: string, tone: Tone = 'plain'): Span => ({ text, tone })

export const row = (...spans: readonly Span[]): Row => ({ spans })

export const emptyRow: Row = { spans: [] }

export const plainText = ({ spans }: Row): string => spans.map(({ text }) => text).join('')

export const widthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { text }) => sum + cells(text), 0)

/** One column of a line; without a width it takes what the others leave. */
export interface Cell {
  readonly text: string
  readonly width?: number
  readonly align?: 'left' | 'right'
  readonly tone?: Tone
  /** Dim text behind it, where there is room left. */
  readonly more?: string
}

/** Columns side by side with one blank between them, in exactly `width` cells. */
export function columns(width: number, list: readonly Cell[]): readonly Span[] {
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
  const fitted = fit(text, width)
  const room = width - cells(fitted)
  if (more !== undefined && room > 2) {
    const behind = fit(more, room - 2)
    const gap = ' '.repeat(room - 2 - cells(behind))
    return [span(fitted, tone), span(`  ${behind}${gap}`, 'muted')]
  }
  const gap = ' '.repeat(Math.max(0, room))
  return [span(align === 'right' ? gap + fitted : fitted + gap, tone)]
}

/** Text at the left and text at the right of one row; the left gives way first. */
export function ends(width: number, left: readonly Span[], right: readonly Span[]): Row {
  const rightWidth = widthOf(right)
  const room = Math.max(0, width - rightWidth - (right.length > 0 ? 1 : 0))
  const cutLeft = cutSpans(left, room)
  const gap = Math.max(0, width - widthOf(cutLeft) - rightWidth)
  return { spans: cutSpans([...cutLeft, span(' '.repeat(gap)), ...right], width) }
}

/** The beginning of some spans, in so many cells at most. */
export function cutSpans(spans: readonly Span[], width: number): readonly Span[] {
  const kept: Span[] = []
  let room = width
  for (const each of spans) {
    if (room <= 0) break
    const own = cells(each.text)
    if (own <= room) kept.push(each)
    else kept.push({ ...each, text: fit(each.text, room) })
    room -= own
  }
  return kept
}

/** The first pairs of spans that fit whole, for keys and their names: half a name would be a riddle. */
export function wholePairs(pairs: readonly Span[], width: number): readonly Span[] {
  const kept: Span[] = []
  for (let index = 0; index < pairs.length; index += 2) {
    const pair = pairs.slice(index, index + 2)
    if (widthOf(kept) + widthOf(pair) > width) break
    kept.push(...pair)
  }
  return kept
}
