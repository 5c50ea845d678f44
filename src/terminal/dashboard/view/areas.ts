/** The areas of the screen with their rows: what is drawn, and what lies under the mouse. The last one is on top. */
import { type PaneId, type Rect, visiblePanes } from '../model/layout.ts'
import { type Model } from '../model/model.ts'
import { bottomRows } from './footer.ts'
import { headerRows } from './header.ts'
import { overlayBodyRows } from './overlays/body.ts'
import { panesById } from './panes/catalogue.ts'
import { cellWidth } from './text/cells.ts'
import type { Glyphs } from './text/glyphs.ts'
import type { Row } from './text/row.ts'

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
