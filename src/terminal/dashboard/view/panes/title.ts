/** Title row of a pane: a rule with number, name, narrowing and state. */
import { type PaneId, paneIds } from '../../model/layout.ts'
import { focusOf, type Model, tabNames } from '../../model/model.ts'
import { newRowCount } from '../../model/order-list.ts'
import { fitToCells } from '../text/cells.ts'
import { cutSpans, type Row, row, type Span, span, widthOf } from '../text/row.ts'
import { type LogPane, missedCount } from '../../update/logs.ts'
import { type PaneInput, shortId } from './pane.ts'
import { foundCount, searchText } from '../../model/search.ts'

const paneNames = ({ tab, snapshot }: Model): Readonly<Record<PaneId, string>> => ({
  facts: 'Journal',
  traffic: snapshot?.playback ? 'Recording' : 'Traffic',
  orders: tabNames[tab][0],
  order: tabNames[tab][1],
  agenda: 'Agenda',
})

const columnLabels: Readonly<Record<PaneId, string>> = {
  facts: 'PAST',
  traffic: 'PAST',
  orders: 'PRESENT',
  order: 'PRESENT',
  agenda: 'FUTURE',
}

/** A rule across the pane with text at its left and its right; heavier in the focused pane. */
export function ruledRow(
  { rect, glyphs }: Pick<PaneInput, 'rect' | 'glyphs'>,
  focused: boolean,
  left: readonly Span[],
  right: readonly Span[],
): Row {
  const line = focused ? glyphs.focusRule : glyphs.rule
  const tone = focused ? 'accent' : 'muted'
  const end = right.length === 0 ? [] : [span(' '), ...right, span(' '), span(line, tone)]
  const start = cutSpans(
    [span(`${line} `, tone), ...left, span(' ')],
    Math.max(0, rect.width - widthOf(end)),
  )
  const gap = Math.max(0, rect.width - widthOf(start) - widthOf(end))
  return row(...start, span(line.repeat(gap), tone), ...end)
}

/** Panes that share an area are all named; the visible one is in brackets. */
export function titleRow(
  input: PaneInput,
  id: PaneId,
  left: readonly Span[] = [],
  right: readonly Span[] = [],
): Row {
  const { model } = input
  const place = model.layout
  const focused = focusOf(model) === id
  const sharing = place.shared?.panes.includes(id) === true ? place.shared.panes : [id]
  // A tiny screen has room for one name; its number indicates that there are others.
  const named = sharing.length > 3 ? [id] : sharing
  const tabs = named.flatMap((each, index): Span[] => {
    const text = `${paneIds.indexOf(each) + 1} ${paneNames(model)[each]}`
    const here = each === id
    const tone = here ? (focused ? 'accent' : 'strong') : 'muted'
    const shown = here && named.length > 1 ? `[${text}]` : text
    const key = String(paneIds.indexOf(each) + 1)
    return [...(index > 0 ? [span(' ')] : []), { ...span(shown, tone), key }]
  })
  const search = searchSpans(model, id)
  const isBrief = named.length > 2 || search.length > 0
  const column = isBrief ? [] : [span(`${columnLabels[id]} `, 'muted')]
  const between = search.length > 0 && left.length > 0 ? [span(' ')] : []
  const extra = search.length + left.length === 0 ? [] : [span(' '), ...search, ...between, ...left]
  const start = [...column, ...tabs, ...extra]
  // What is searched for is more important than totals.
  const fits = search.length === 0 || widthOf([...start, ...right]) + 6 <= input.rect.width
  return ruledRow(input, focused, start, fits ? right : [])
}

/** The number behind it must stay visible. */
const maxSearchCells = 14

/** The words that the list is searched for, and how many rows have them. */
function searchSpans(model: Model, id: PaneId): readonly Span[] {
  if (id !== 'facts' && id !== 'orders' && id !== 'agenda') return []
  const text = searchText(model, id)
  if (text === '') return []
  const count = foundCount(model, id)
  const found = count === undefined ? [] : [span(` (${count} found)`, 'muted')]
  return [span(`/${fitToCells(text, maxSearchCells)}`, 'info'), ...found]
}

/** Indicates that the pane shows only one order. */
export const onlyOrderText = ({ only, orderId }: Model): readonly Span[] =>
  only ? [span(`only ${shortId(orderId)}`, 'warn')] : []

/** Indicates that rows arrived above the cursor of pane 3, which no longer follows. */
export function newRowsText({ model, glyphs }: PaneInput): readonly Span[] {
  const count = newRowCount(model)
  return count === 0 ? [] : [span(`${count} new ${glyphs.above}`, 'warn'), span('  ')]
}

/** Indicates whether a list of the past follows the newest row, or how many rows are new. */
export function followText(model: Model, pane: LogPane): readonly Span[] {
  if (model[pane].follow) return [span('following', 'ok')]
  const count = missedCount(model, pane)
  return [span(count === 0 ? 'paused' : `paused, ${count} new`, count === 0 ? 'muted' : 'warn')]
}
