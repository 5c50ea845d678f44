/**
 * List overlay: lines, some of which can be chosen. The cursor is stored as the key of the target, so that it survives
 * insertions and removals above it.
 */
import { moveIndex, rangeText, topIndex, viewShift } from '../../model/lists.ts'
import type { Motion } from '../../model/message.ts'
import { type Model } from '../../model/model.ts'
import type { ListOverlay } from '../../model/overlay.ts'
import type { FaultRow } from '../../../../core/session-api/session-api.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { wordWrap } from '../text/cells.ts'
import { type Row, row, span, type Tone } from '../text/row.ts'

/** Target of a line, on which keys act. */
export type ListTarget =
  | { readonly kind: 'fault'; readonly fault: FaultRow }
  /** A fault or a profile that can be added. */
  | { readonly kind: 'addable'; readonly name: string; readonly isProfile: boolean }
  /** A row of the form of a fault. */
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'verdict'; readonly id: string }
  /** An action of the palette. */
  | { readonly kind: 'action'; readonly id: string }
  /** A value to be copied, such as an address. */
  | { readonly kind: 'value'; readonly label: string; readonly value: string }
  /** The same exchange may occur in several lines; `place` distinguishes them. */
  | { readonly kind: 'exchange'; readonly seq: number; readonly place: string }
  /** A difference between two exchanges, by its index among all of them. */
  | { readonly kind: 'difference'; readonly index: number; readonly key: string }

export interface ListLine {
  readonly row: Row
  readonly target?: ListTarget
}

export const listLine = (made: Row, target?: ListTarget): ListLine =>
  target ? { row: made, target } : { row: made }

export const headingLine = (text: string, more = ''): ListLine =>
  listLine(row(span(` ${text}`, 'strong'), span(more === '' ? '' : `  ${more}`, 'muted')))

/** A text on as many lines as it needs. */
export const wrappedLines = (text: string, width: number, tone: Tone): readonly ListLine[] =>
  wordWrap(text, Math.max(1, width - 2)).map((line) => listLine(row(span(` ${line}`, tone))))

export interface ListInput {
  readonly model: Model
  readonly width: number
  readonly glyphs: Glyphs
}

function targetKey(target: ListTarget): string {
  switch (target.kind) {
    case 'fault':
      return `fault ${target.fault.id}`
    case 'addable':
      return `add ${target.name}`
    case 'field':
      return `field ${target.name}`
    case 'verdict':
    case 'action':
      return `${target.kind} ${target.id}`
    case 'value':
      return `value ${target.label}`
    case 'exchange':
      return `exchange ${target.place} ${target.seq}`
    case 'difference':
      return `difference ${target.key}`
    default:
      target satisfies never
      return ''
  }
}

/** Index of the chosen line, by default the first that can be chosen; undefined when none can. */
function chosenIndex(lines: readonly ListLine[], chosen: string | undefined): number | undefined {
  const place = lines.findIndex(({ target }) => target && targetKey(target) === chosen)
  if (place >= 0) return place
  const first = lines.findIndex(({ target }) => target !== undefined)
  return first < 0 ? undefined : first
}

export function chosenListTarget(
  lines: readonly ListLine[],
  { chosen }: ListOverlay,
): ListTarget | undefined {
  const place = chosenIndex(lines, chosen)
  return place === undefined ? undefined : lines[place]?.target
}

/** Rows below a list that stay where they are: completions of a form. */
export const footHeight = ({ overlay }: Model): number => (overlay?.kind === 'fault-form' ? 4 : 0)

/** Visible rows of the list. */
export const listRowsHeight = (model: Model): number =>
  Math.max(1, model.layout.body.height - 1 - footHeight(model))

/** Moves the cursor among the lines that can be chosen; without any, scrolls. */
export function moveListing(
  lines: readonly ListLine[],
  overlay: ListOverlay,
  motion: Motion,
  model: Model,
): ListOverlay {
  const height = listRowsHeight(model)
  const selectable = lines.flatMap(({ target }, place) => (target ? [place] : []))
  const from = selectable.indexOf(chosenIndex(lines, overlay.chosen) ?? -1)
  if (from < 0) {
    const top = moveIndex(Math.max(1, lines.length - height + 1), height, overlay.top, motion)
    return { ...overlay, top }
  }
  const to = moveIndex(selectable.length, height, from, motion)
  const place = selectable[to] ?? 0
  const target = lines[place]?.target
  // At the first or last target the list scrolls to its own end, so that the lines there can be read.
  // Elsewhere what follows a target, up to the next one, belongs to it.
  const end = to === 0 ? 0 : (selectable[to + 1] ?? lines.length) - 1
  const top = topIndex(
    lines.length,
    height,
    topIndex(lines.length, height, overlay.top + viewShift(motion), end),
    place,
  )
  return { ...overlay, chosen: target && targetKey(target), top }
}

/** Visible rows, and their range in the whole list. */
export function listingRows(
  lines: readonly ListLine[],
  overlay: ListOverlay,
  model: Model,
): { readonly rows: readonly Row[]; readonly where: string } {
  const height = listRowsHeight(model)
  const place = chosenIndex(lines, overlay.chosen)
  const top = topIndex(
    lines.length,
    height,
    overlay.top,
    overlay.chosen === undefined ? undefined : place,
  )
  const rows = lines.slice(top, top + height).map(({ row: each, target }, index): Row => {
    const isChosen = top + index === place
    const spans = target ? [span(isChosen ? '>' : ' '), ...each.spans] : each.spans
    const click = target ? { click: targetKey(target) } : {}
    return { spans, ...click, ...(isChosen ? { chosen: 'here' } : {}) }
  })
  return { rows, where: rangeText(lines.length, height, top) }
}
