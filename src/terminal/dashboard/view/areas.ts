/** The areas of the screen with their rows: what is drawn, and what lies under the mouse. The last one is on top. */
import { rangeText } from '../model/lists.ts'
import { type PaneId, type Rect, visiblePanes } from '../model/layout.ts'
import type { Model } from '../model/model.ts'
import { bottomRows } from './footer.ts'
import { headerRows } from './header.ts'
import { panesById } from './panes/catalogue.ts'
import { cellWidth } from './text/cells.ts'
import type { Glyphs } from './text/glyphs.ts'
import { emptyRow, type Row, type Span, span } from './text/row.ts'
import { containsWords } from '../../../core/traffic/contains-words.ts'
import { overlayRows, overlayTitle } from './detail.ts'
import { foundBindings, foundGestures } from './help.ts'
import { hintRows } from './panes/pane.ts'
import { ruledRow } from './panes/title.ts'
import { isListOverlay, listTitle, openListLines } from './overlays/catalogue.ts'
import { completionRows } from './overlays/fault-form.ts'
import { footHeight, listingRows, listRowsHeight } from './overlays/listing.ts'

function overlayBodyRows(model: Model, glyphs: Glyphs): readonly Row[] {
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
  const where = rangeText(rows.length, height, top)
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

export interface ScreenArea {
  readonly name: PaneId | 'header' | 'overlay' | 'footer'
  readonly rect: Rect
  /** Made when they are drawn, so that an error stays in its area. */
  readonly rows: () => readonly Row[]
}

export type PaneRows = (id: PaneId, model: Model, rect: Rect, glyphs: Glyphs) => readonly Row[]

const rowsOfPane: PaneRows = (id, model, rect, glyphs) =>
  panesById[id].rows({ model, rect, glyphs })

export function screenAreas(
  model: Model,
  glyphs: Glyphs,
  paneRows: PaneRows = rowsOfPane,
): readonly ScreenArea[] {
  const place = model.layout
  const { columns, rows, header, body } = place
  const bottom = bottomRows(model)
  const height = bottom.length
  const areas: readonly ScreenArea[] = [
    {
      name: 'header',
      rect: header,
      rows: () => headerRows(model, header.width, header.height, glyphs),
    },
    ...(model.overlay
      ? [{ name: 'overlay', rect: body, rows: () => overlayBodyRows(model, glyphs) } as const]
      : visiblePanes(place).map(({ id, rect }): ScreenArea => ({
          name: id,
          rect,
          rows: () => paneRows(id, model, rect, glyphs),
        }))),
    {
      name: 'footer',
      rect: { x: 0, y: rows - height, width: columns, height },
      rows: () => bottom,
    },
  ]
  return areas.filter(({ rect }) => rect.height > 0 && rect.width > 0)
}

/** What lies in a cell. */
export interface CellTarget {
  readonly area: ScreenArea['name']
  readonly row?: string | number
  /** The key that a click presses. */
  readonly key?: string
}

const contains = ({ x, y, width, height }: Rect, column: number, row: number): boolean =>
  column >= x && column < x + width && row >= y && row < y + height

function keyAt({ spans }: Row, column: number): string | undefined {
  let end = 0
  for (const { text, key } of spans) {
    end += cellWidth(text)
    if (column < end) return key
  }
  return undefined
}

/** What lies in a cell of the screen; undefined for a gap between panes. */
export function cellTarget(
  model: Model,
  glyphs: Glyphs,
  column: number,
  row: number,
): CellTarget | undefined {
  const area = screenAreas(model, glyphs).findLast(({ rect }) => contains(rect, column, row))
  if (!area) return undefined
  const { name, rect } = area
  const under = area.rows()[row - rect.y]
  const key = under && keyAt(under, column - rect.x)
  return {
    area: name,
    ...(under?.click === undefined ? {} : { row: under.click }),
    ...(key === undefined ? {} : { key }),
  }
}
