/**
 * A list that covers the panes: lines, some of which can be chosen. The chosen one goes by the key of what it stands
 * for, so that it stays chosen when lines come and go above it.
 */
import { moveIndex, topIndex } from '../../model/lists.ts'
import type { Motion } from '../../model/message.ts'
import { layoutOf, type ListOverlay, type Model } from '../../model/model.ts'
import type { FaultRow } from '../../../session-api/session-api.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { type Row, row, span } from '../text/row.ts'

/** What a line stands for: what keys act on. */
export type Target =
  | { readonly kind: 'fault'; readonly fault: FaultRow }
  /** A fault or a profile that can be put in force. */
  | { readonly kind: 'addable'; readonly name: string; readonly whole: boolean }
  | { readonly kind: 'verdict'; readonly id: string }
  /** The same exchange may be shown at several places. */
  | { readonly kind: 'exchange'; readonly seq: number; readonly place: string }
  /** A difference between two exchanges, by its place among all of them. */
  | { readonly kind: 'difference'; readonly index: number; readonly key: string }

export interface Line {
  readonly row: Row
  readonly target?: Target
}

export const line = (made: Row, target?: Target): Line =>
  target ? { row: made, target } : { row: made }

export const heading = (text: string, more = ''): Line =>
  line(row(span(` ${text}`, 'strong'), span(more === '' ? '' : `  ${more}`, 'muted')))

export interface ListInput {
  readonly model: Model
  readonly width: number
  readonly glyphs: Glyphs
}

function targetKey(target: Target): string {
  switch (target.kind) {
    case 'fault':
      return `fault ${target.fault.id}`
    case 'addable':
      return `add ${target.name}`
    case 'verdict':
      return `verdict ${target.id}`
    case 'exchange':
      return `exchange ${target.place} ${target.seq}`
    case 'difference':
      return `difference ${target.key}`
    default:
      target satisfies never
      return ''
  }
}

/** The place of the chosen line among all; undefined where none can be chosen. */
function chosenIndex(lines: readonly Line[], chosen: string | undefined): number | undefined {
  const place = lines.findIndex(({ target }) => target && targetKey(target) === chosen)
  if (place >= 0) return place
  const first = lines.findIndex(({ target }) => target !== undefined)
  return first < 0 ? undefined : first
}

export function chosenTarget(lines: readonly Line[], { chosen }: ListOverlay): Target | undefined {
  const place = chosenIndex(lines, chosen)
  return place === undefined ? undefined : lines[place]?.target
}

const heightOf = (model: Model): number => Math.max(1, layoutOf(model).body.height - 1)

/** The cursor goes on among the lines that can be chosen; where there are none, the text moves. */
export function moveListing(
  lines: readonly Line[],
  overlay: ListOverlay,
  motion: Motion,
  model: Model,
): ListOverlay {
  const height = heightOf(model)
  const selectable = lines.flatMap(({ target }, place) => (target ? [place] : []))
  const from = selectable.indexOf(chosenIndex(lines, overlay.chosen) ?? -1)
  if (from < 0) {
    const top = moveIndex(Math.max(1, lines.length - height + 1), height, overlay.top, motion)
    return { ...overlay, top }
  }
  const to = moveIndex(selectable.length, height, from, motion)
  const place = selectable[to] ?? 0
  const target = lines[place]?.target
  // At an end of the cursor the text goes on to its own end: what stands there is read as well.
  const end = to === 0 ? 0 : to === selectable.length - 1 ? lines.length - 1 : place
  const top = topIndex(
    lines.length,
    height,
    topIndex(lines.length, height, overlay.top, end),
    place,
  )
  return { ...overlay, chosen: target && targetKey(target), top }
}

/** The rows on the screen, and which part of all they are. */
export function listingRows(
  lines: readonly Line[],
  overlay: ListOverlay,
  model: Model,
): { readonly rows: readonly Row[]; readonly where: string } {
  const height = heightOf(model)
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
    return isChosen ? { spans, chosen: 'here' } : { spans }
  })
  const last = Math.min(lines.length, top + height)
  const where = lines.length > height ? `${top + 1}-${last} of ${lines.length}` : ''
  return { rows, where }
}
