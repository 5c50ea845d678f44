/** The open overlay: a title row, and as many rows as fit. */
import { overlayRows, overlayTitle } from '../detail.ts'
import { layoutOf, type Model } from '../../model/model.ts'
import { ruledRow } from '../panes/title.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { type Row, span } from '../text/row.ts'
import { isListOverlay, listTitle } from './catalogue.ts'
import { listingRows } from './listing.ts'
import { openListLines } from './open.ts'

export function overlayBodyRows(model: Model, glyphs: Glyphs): readonly Row[] {
  const { overlay } = model
  if (!overlay) return []
  const { body } = layoutOf(model)
  if (isListOverlay(overlay)) {
    const { rows, where } = listingRows(openListLines(model, glyphs), overlay, model)
    return [titleRow(model, listTitle(overlay, model), where, glyphs), ...rows]
  }
  const rows = overlayRows(model, body.width)
  const height = Math.max(0, body.height - 1)
  const top = Math.max(0, Math.min(overlay.top, rows.length - height))
  const more = rows.length > height
  const where = more ? `${top + 1}-${Math.min(rows.length, top + height)} of ${rows.length}` : ''
  return [titleRow(model, overlayTitle(model), where, glyphs), ...rows.slice(top, top + height)]
}

const titleRow = (model: Model, text: string, where: string, glyphs: Glyphs): Row =>
  ruledRow(
    { rect: layoutOf(model).body, glyphs },
    true,
    [span(text, 'accent')],
    where === '' ? [] : [span(where, 'muted')],
  )
