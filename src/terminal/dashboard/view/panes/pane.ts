/** Interface of panes, and texts that several of them share. */
import { compact } from '../../../../core/base/compact.ts'
import type { Glyphs } from '../text/glyphs.ts'
import type { PaneId, Rect } from '../../model/layout.ts'
import type { Model } from '../../model/model.ts'
import { type Role, roles, shortRoleName } from '../../../../core/protocol/role.ts'
import { searchText, type SearchPane } from '../../model/search.ts'
import { wordWrap } from '../text/cells.ts'
import { type Row, row, type Span, span } from '../text/row.ts'

export interface PaneInput {
  readonly model: Model
  readonly rect: Rect
  readonly glyphs: Glyphs
}

/** A pane renders the model into at most as many rows as its rectangle has. */
export interface Pane {
  readonly id: PaneId
  readonly rows: (input: PaneInput) => readonly Row[]
}

/** The row of a list; `chosen` says whether it has the cursor. */
export const listRow = (
  spans: readonly Span[],
  click: string | number,
  chosen: Row['chosen'],
): Row => ({ spans, click, ...compact({ chosen }) })

/** Text of an empty pane: its state, and the key that changes it. */
export const hintRows = (width: number, ...sentences: readonly string[]): readonly Row[] =>
  sentences.flatMap((sentence) =>
    wordWrap(sentence, Math.max(1, width - 2)).map((line) => row(span(` ${line}`, 'muted'))),
  )

/** Text of a list without a match; nothing while the list is not searched. */
export function noMatchRows(
  { model, rect }: Pick<PaneInput, 'model' | 'rect'>,
  pane: SearchPane,
): readonly Row[] {
  if (searchText(model, pane) === '') return []
  return hintRows(rect.width, 'Nothing has these words.', '/ changes them, esc takes them away.')
}

/** Shortened order id for lists: the beginning distinguishes orders. */
export const shortId = (orderId: string | undefined): string =>
  orderId === undefined ? '' : orderId.length > 13 ? orderId.slice(0, 8) : orderId

/** Short name of a role; other names are unchanged. */
export const partyText = (by: string): string =>
  roles.some((role) => role === by) ? shortRoleName[by as Role] : by
