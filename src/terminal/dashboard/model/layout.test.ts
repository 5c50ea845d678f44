import { describe, expect, test } from 'vitest'
import { layout, type Layout, paneIds, visiblePanes, type Rect } from './layout.ts'

const recent = ['traffic', 'orders', 'agenda', 'order', 'facts'] as const

const sizes: readonly (readonly [number, number, Layout['kind']])[] = [
  [20, 4, 'line'],
  [29, 24, 'line'],
  [40, 10, 'tiny'],
  [59, 40, 'tiny'],
  [200, 15, 'tiny'],
  [60, 16, 'one'],
  [80, 24, 'one'],
  [100, 30, 'one'],
  [119, 60, 'one'],
  [120, 40, 'two'],
  [149, 45, 'two'],
  [150, 45, 'three'],
  [200, 60, 'three'],
  [150, 16, 'three'],
]

/** Counts how often each cell of the screen is covered. */
function coverage(place: Layout): { readonly most: number; readonly outside: boolean } {
  const { columns, rows, header, footer, notice } = place
  const rects: readonly Rect[] = [
    header,
    footer,
    ...(notice ? [notice] : []),
    ...visiblePanes(place).map(({ rect }) => rect),
  ]
  const counts = new Uint8Array(columns * rows)
  let outside = false
  for (const { x, y, width, height } of rects)
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) {
        if (row >= rows || column >= columns || row < 0 || column < 0) outside = true
        else counts[row * columns + column]!++
      }
  return { most: Math.max(...counts), outside }
}

describe('layout', () => {
  test.each(sizes)('%i x %i is %s, without overlap or overflow', (columns, rows, kind) => {
    const place = layout(columns, rows, recent)
    expect(place.kind).toBe(kind)
    expect(coverage(place)).toEqual({ most: 1, outside: false })
  })

  test.each(sizes)('at %i x %i every row is covered', (columns, rows, kind) => {
    if (kind === 'line') return
    const place = layout(columns, rows, recent)
    const panes = visiblePanes(place)
    const covered = Array.from({ length: rows }, (_, row) =>
      [
        place.header,
        place.footer,
        ...(place.notice ? [place.notice] : []),
        ...panes.map(({ rect }) => rect),
      ].some(({ y, height }) => row >= y && row < y + height),
    )
    expect(covered).not.toContain(false)
  })

  test('the agenda is visible at every size with several panes', () => {
    const heights = sizes
      .filter(([, , kind]) => kind !== 'line' && kind !== 'tiny')
      .map(([columns, rows]) => layout(columns, rows, recent).panes.agenda?.height ?? 0)
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(4)
  })

  test('80x24 has one column: three panes share the area above the order and the agenda', () => {
    const place = layout(80, 24, recent)
    expect(place.shared?.panes).toEqual(['facts', 'traffic', 'orders'])
    expect(visiblePanes(place).map(({ id }) => id)).toEqual(['traffic', 'order', 'agenda'])
    expect(layout(80, 24, ['facts', ...recent]).panes.facts).toEqual(place.shared?.rect)
    expect(place.panes.facts).toBeUndefined()
  })

  test('120x40 has two columns, 150x45 three, with an area for every pane', () => {
    expect(visiblePanes(layout(120, 40, recent)).map(({ id }) => id)).toEqual([
      'traffic',
      'orders',
      'order',
      'agenda',
    ])
    expect(visiblePanes(layout(150, 45, recent)).map(({ id }) => id)).toEqual(paneIds)
  })

  test('every size from zero to large has a layout that fits', () => {
    for (let columns = 1; columns <= 210; columns += 7)
      for (let rows = 1; rows <= 64; rows += 3) {
        const { most, outside } = coverage(layout(columns, rows, recent))
        expect({ columns, rows, most: most <= 1, outside }).toEqual({
          columns,
          rows,
          most: true,
          outside: false,
        })
      }
  })
})
