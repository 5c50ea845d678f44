/**
 * Coverage as a heat map: how often each fault fired in each state of an order. Numbers where there is room, else bars that grow
 * with the logarithm: they are read without colour too. A fault that never fired has a row of dots.
 */
import { exercisedText } from '../campaign/campaign-text.ts'
import { type HeatMap, heatMap } from '../schedules/coverage.ts'
import { orderStatuses } from '../../core/protocol/orders/order.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import { ruledRow } from '../../terminal/dashboard/view/panes/title.ts'
import { padToCells } from '../../terminal/dashboard/view/text/cells.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import {
  type Row,
  row,
  type Span,
  span,
  type Tone,
} from '../../terminal/dashboard/view/text/row.ts'
import type { CampaignModel } from './model.ts'

/** Side by side, with this gap. */
interface Grid {
  readonly blocks: number
  readonly blockWidth: number
  readonly labelWidth: number
  /** Width of a state with the blank before it. */
  readonly stateWidth: number
  /** Faults of one block. */
  readonly height: number
}

const gap = 2
/** Of the name of a fault, the blank before it included. */
const minLabelWidth = 12
const maxLabelWidth = 19
/** Of a state, the blank before it included. */
const minStateWidth = 3
const maxStateWidth = 12
const maxBlocks = 3
/** From this width on a cell has its number. */
const numberWidth = 5

interface CoverageMap extends Pick<HeatMap, 'states' | 'count'> {
  /** All faults that can be tried, and those that fired. */
  readonly faults: readonly string[]
}

export function coverageMapOf({ state }: Pick<CampaignModel, 'state'>): CoverageMap {
  const { states, faults, count } = heatMap(state.coverage, ['-', ...orderStatuses])
  const names = state.classes().map((each) => each.split(' ')[0] ?? each)
  return { states, count, faults: [...new Set([...names, ...faults])].sort() }
}

const noGrid: Grid = { blocks: 0, blockWidth: 0, labelWidth: 0, stateWidth: 2, height: 0 }

/** The fewest blocks that fit into so many rows; the most that fit into the width where none does. */
function gridOf({ states, faults }: CoverageMap, width: number, maxHeight: number): Grid {
  const grids = Array.from({ length: maxBlocks }, (_, index): Grid => {
    const blocks = index + 1
    const blockWidth = Math.floor((width - index * gap) / blocks)
    const count = Math.max(1, states.length)
    const labelWidth = Math.max(
      minLabelWidth,
      Math.min(maxLabelWidth, blockWidth - count * minStateWidth),
    )
    const room = Math.floor((blockWidth - labelWidth) / count)
    const stateWidth = Math.max(2, Math.min(maxStateWidth, room))
    const height = Math.ceil(faults.length / blocks)
    return { blocks, blockWidth, labelWidth, stateWidth, height }
  }).filter(({ stateWidth }, index) => index === 0 || stateWidth >= minStateWidth)
  const fitting = grids.find(({ height }) => height + 2 <= maxHeight)
  return fitting ?? grids.at(-1) ?? noGrid
}

/** Rows that the whole map takes, at most so many. */
export function heatMapHeight(map: CoverageMap, width: number, maxHeight: number): number {
  return map.faults.length === 0 ? 0 : Math.min(maxHeight, gridOf(map, width, maxHeight).height + 2)
}

/** Names that differ in so few cells: the first character, and the next one that no name before has with it. */
export function shortStateNames(states: readonly string[], width: number): readonly string[] {
  const used = new Set<string>()
  return states.map((state) => {
    const [first = '', ...others] = state.replaceAll('_', '')
    const cut = state.slice(0, width)
    const candidates = [cut, ...others.map((each) => `${first}${each}`)]
    const name = candidates.find((each) => !used.has(each)) ?? cut
    used.add(name)
    return name
  })
}

/** 0 for 1, 1 for 2 and 3, 2 for 4 to 7 … */
const levelOf = (count: number): number => Math.floor(Math.log2(count))

const countText = (count: number): string =>
  count < 1000 ? String(count) : count < 1_000_000 ? `${Math.floor(count / 1000)}k` : 'many'

function toneOf(count: number): Tone {
  if (count === 0) return 'muted'
  const level = levelOf(count)
  return level < 2 ? 'plain' : level < 5 ? 'info' : 'accent'
}

function cellText(count: number, width: number, { bars, scheduled }: Glyphs): string {
  if (count === 0) return scheduled
  if (width >= numberWidth) return countText(count)
  return bars[Math.min(bars.length - 1, levelOf(count))] ?? '#'
}

function faultSpans(
  { states, count }: CoverageMap,
  fault: string,
  { stateWidth, labelWidth }: Grid,
  glyphs: Glyphs,
): readonly Span[] {
  const counts = states.map((state) => count(state, fault))
  const hasFired = counts.some((each) => each > 0)
  return [
    span(padToCells(` ${fault}`, labelWidth), hasFired ? 'plain' : 'warn'),
    ...counts.map((each) =>
      span(padToCells(cellText(each, stateWidth, glyphs), stateWidth, 'right'), toneOf(each)),
    ),
  ]
}

function stateSpans({ states }: CoverageMap, { stateWidth, labelWidth }: Grid): readonly Span[] {
  const names = shortStateNames(states, stateWidth - 1)
  return [
    span(' '.repeat(labelWidth)),
    ...names.map((name) => span(padToCells(name, stateWidth, 'right'), 'muted')),
  ]
}

/** Blocks side by side; each line is padded to the width of its block. */
function besideEachOther(lines: readonly (readonly Span[])[], { blockWidth }: Grid): Row {
  return row(
    ...lines.flatMap((spans, index) => {
      const used = spans.reduce((sum, { text }) => sum + text.length, 0)
      const isLast = index === lines.length - 1
      return isLast ? spans : [...spans, span(' '.repeat(blockWidth - used + gap))]
    }),
  )
}

export function heatMapRows(model: CampaignModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  const map = coverageMapOf(model)
  const { faults } = map
  const title = ruledRow(
    { rect, glyphs },
    false,
    [span('Coverage', 'strong'), span(' how often a fault fired in a state of an order', 'muted')],
    [span(exercisedText(model.state), 'muted')],
  )
  const grid = gridOf(map, rect.width, rect.height)
  const shown = Math.min(grid.height, rect.height - 2)
  const blocks = Array.from({ length: grid.blocks }, (_, index) =>
    faults.slice(index * grid.height, (index + 1) * grid.height),
  )
  const lines = Array.from({ length: shown }, (_, index) =>
    besideEachOther(
      blocks.flatMap((block) => {
        const fault = block[index]
        return fault === undefined ? [] : [faultSpans(map, fault, grid, glyphs)]
      }),
      grid,
    ),
  )
  const hidden = blocks.reduce((sum, block) => sum + Math.max(0, block.length - shown), 0)
  const last = hidden === 0 ? [] : [row(span(` and ${hidden + grid.blocks} more faults`, 'muted'))]
  const heads = blocks.map(() => stateSpans(map, grid))
  const kept = hidden === 0 ? lines : lines.slice(0, -1)
  return [title, besideEachOther(heads, grid), ...kept, ...last]
}
