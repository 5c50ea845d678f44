/**
 * Screen layout, computed from the terminal size and the order in which panes had the focus. Rectangles (in cells) tile the
 * screen exactly: they never overlap and never exceed the height, or the terminal would scroll.
 */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const paneIds = ['facts', 'traffic', 'orders', 'order', 'agenda'] as const
export type PaneId = (typeof paneIds)[number]

type LayoutKind = 'line' | 'tiny' | 'one' | 'two' | 'three'

export interface Layout {
  readonly kind: LayoutKind
  readonly columns: number
  readonly rows: number
  readonly header: Rect
  /** Area between header and footer; overlays cover it. */
  readonly body: Rect
  readonly footer: Rect
  /** Row for notices; on small screens notices are in the footer. */
  readonly notice?: Rect
  /**
   * Area that several panes share, of which the one that had the focus last is visible. Absent when each has its own.
   */
  readonly shared?: { readonly rect: Rect; readonly panes: readonly PaneId[] }
  /** Rectangles of the visible panes. */
  readonly panes: Partial<Readonly<Record<PaneId, Rect>>>
}

const gap = 1
const clamp = (value: number, min: number, max: number): number =>
  Math.max(min, Math.min(max, value))

/** Header, body, notice and footer of a screen, from top to bottom. */
function frame(
  columns: number,
  rows: number,
  headerHeight: number,
  withNotice: boolean,
): Pick<Layout, 'columns' | 'rows' | 'header' | 'body' | 'footer' | 'notice'> {
  const bottom = withNotice ? 2 : 1
  const fullWidth = (y: number, height: number): Rect => ({ x: 0, y, width: columns, height })
  return {
    columns,
    rows,
    header: fullWidth(0, headerHeight),
    body: fullWidth(headerHeight, rows - headerHeight - bottom),
    ...(withNotice ? { notice: fullWidth(rows - 2, 1) } : {}),
    footer: fullWidth(rows - 1, 1),
  }
}

/** Stacks rectangles of these heights; the last takes the rest. */
function stack(area: Rect, ...heights: readonly number[]): readonly Rect[] {
  const rects: Rect[] = []
  let y = area.y
  for (const height of heights) {
    rects.push({ ...area, y, height })
    y += height
  }
  rects.push({ ...area, y, height: area.y + area.height - y })
  return rects
}

/** Places rectangles of these widths side by side with a gap; the last takes the rest. */
function sideBySide(area: Rect, ...widths: readonly number[]): readonly Rect[] {
  const rects: Rect[] = []
  let x = area.x
  for (const width of widths) {
    rects.push({ ...area, x, width })
    x += width + gap
  }
  rects.push({ ...area, x, width: area.x + area.width - x })
  return rects
}

const emptyRect: Rect = { x: 0, y: 0, width: 0, height: 0 }

/** `recent` lists panes by last focus, latest first. */
export function layout(columns: number, rows: number, recent: readonly PaneId[]): Layout {
  const place = layoutOfSize(columns, rows)
  const { shared, panes } = place
  const shown = recent.find((id) => shared?.panes.includes(id))
  return shared && shown ? { ...place, panes: { ...panes, [shown]: shared.rect } } : place
}

function layoutOfSize(columns: number, rows: number): Layout {
  if (columns < 30 || rows < 6) {
    const line = { x: 0, y: 0, width: columns, height: 1 }
    return {
      kind: 'line',
      columns,
      rows,
      header: line,
      body: emptyRect,
      footer: emptyRect,
      panes: {},
    }
  }
  if (columns < 60 || rows < 16) return tiny(columns, rows)
  if (columns < 120) return oneColumn(columns, rows)
  return columns < 150 ? twoColumns(columns, rows) : threeColumns(columns, rows)
}

function tiny(columns: number, rows: number): Layout {
  const base = frame(columns, rows, 1, false)
  return { kind: 'tiny', ...base, shared: { rect: base.body, panes: paneIds }, panes: {} }
}

function oneColumn(columns: number, rows: number): Layout {
  const base = frame(columns, rows, 2, rows >= 30)
  const { height } = base.body
  const order = height >= 34 ? 12 : 4
  const agenda = clamp(Math.floor(height * 0.3), 4, 14)
  const [shared = emptyRect, strip = emptyRect, agendaRect = emptyRect] = stack(
    base.body,
    height - order - agenda,
    order,
  )
  return {
    kind: 'one',
    ...base,
    shared: { rect: shared, panes: ['facts', 'traffic', 'orders'] },
    panes: { order: strip, agenda: agendaRect },
  }
}

function twoColumns(columns: number, rows: number): Layout {
  const base = frame(columns, rows, 2, rows >= 30)
  const [left = emptyRect, right = emptyRect] = sideBySide(base.body, Math.floor(columns * 0.38))
  const [orders = emptyRect, order = emptyRect] = stack(left, Math.floor(left.height * 0.36))
  const agendaHeight = clamp(Math.floor(right.height * 0.4), 5, 24)
  const [past = emptyRect, agenda = emptyRect] = stack(right, right.height - agendaHeight)
  return {
    kind: 'two',
    ...base,
    shared: { rect: past, panes: ['facts', 'traffic'] },
    panes: { orders, order, agenda },
  }
}

function threeColumns(columns: number, rows: number): Layout {
  const base = frame(columns, rows, 2, rows >= 30)
  const room = columns - 2 * gap
  const [past = emptyRect, present = emptyRect, agenda = emptyRect] = sideBySide(
    base.body,
    Math.floor(room * 0.405),
    Math.floor(room * 0.3),
  )
  const [facts = emptyRect, traffic = emptyRect] = stack(past, Math.floor(past.height * 0.4))
  const [orders = emptyRect, order = emptyRect] = stack(present, Math.floor(present.height * 0.4))
  return { kind: 'three', ...base, panes: { facts, traffic, orders, order, agenda } }
}

export const visiblePanes = ({
  panes,
}: Layout): readonly { readonly id: PaneId; readonly rect: Rect }[] =>
  paneIds.flatMap((id) => {
    const rect = panes[id]
    return rect ? [{ id, rect }] : []
  })
