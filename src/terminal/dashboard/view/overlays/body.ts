/** The open overlay: a title row, and as many rows as fit. */
import { containsWords } from '../../../../core/traffic/contains-words.ts'
import { overlayRows, overlayTitle } from '../detail.ts'
import { foundBindings, foundGestures } from '../help.ts'
import type { Model } from '../../model/model.ts'
import { hintRows } from '../panes/pane.ts'
import { ruledRow } from '../panes/title.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { emptyRow, type Row, type Span, span } from '../text/row.ts'
import { isListOverlay, listTitle, openListLines } from './catalogue.ts'
import { completionRows } from './fault-form.ts'
import { footHeight, listingRows, listRowsHeight } from './listing.ts'

export function overlayBodyRows(model: Model, glyphs: Glyphs): readonly Row[] {
  const { overlay } = model
  if (!overlay) return []
  const { body } = model.layout
  if (isListOverlay(overlay)) {
    const lines = openListLines(model, glyphs)
    const { rows, where } = listingRows(lines, overlay, model)
    const title = { text: listTitle(overlay, model), where, count: lines.length }
    const shown = rowsOrHint(model, rows)
    return [titleRow(model, title, glyphs), ...shown, ...footRows(model, shown.length)]
  }
  const rows = overlayRows(model, body.width)
  const height = Math.max(0, body.height - 1)
  const top = Math.max(0, Math.min(overlay.top, rows.length - height))
  const more = rows.length > height
  const where = more ? `${top + 1}-${Math.min(rows.length, top + height)} of ${rows.length}` : ''
  const count =
    overlay.kind === 'help'
      ? foundBindings(overlay.search).length + foundGestures(overlay.search).length
      : rows.length
  const title = { text: overlayTitle(model), where, count }
  return [titleRow(model, title, glyphs), ...rowsOrHint(model, rows.slice(top, top + height))]
}

/** The rows at the foot of a form, below as many empty ones as are needed. */
function footRows(model: Model, above: number): readonly Row[] {
  if (footHeight(model) === 0) return []
  const gap = Math.max(0, listRowsHeight(model) - above)
  return [
    ...Array.from({ length: gap }, () => emptyRow),
    ...completionRows(model, footHeight(model)),
  ]
}

/** What an overlay shows in which nothing has the words that are searched for. */
function rowsOrHint(model: Model, rows: readonly Row[]): readonly Row[] {
  if (rows.length > 0 || !containsWords(model.overlay?.search)) return rows
  const { width } = model.layout.body
  return hintRows(width, 'Nothing has these words.', '/ changes them, esc takes them away.')
}

interface Title {
  readonly text: string
  readonly where: string
  readonly count: number
}

const searchSpans = ({ overlay }: Model, count: number): readonly Span[] =>
  containsWords(overlay?.search)
    ? [span(` /${overlay?.search}`, 'info'), span(` (${count} found)`, 'muted')]
    : []

const titleRow = (model: Model, { text, where, count }: Title, glyphs: Glyphs): Row =>
  ruledRow(
    { rect: model.layout.body, glyphs },
    true,
    [span(text, 'accent'), ...searchSpans(model, count)],
    where === '' ? [] : [span(where, 'muted')],
  )
