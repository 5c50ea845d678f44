/** Pane 5, future: the agenda in order of due time. The only pane whose content can be edited. */
import { firstOrderHint } from '../../model/key-outcomes.ts'
import { compact } from '../../../../core/base/compact.ts'
import type { AgendaRow } from '../../../../core/session-api/session-api.ts'
import {
  agendaNoteHeight,
  chosenItem,
  focusOf,
  listHeight,
  shownInstant,
} from '../../model/model.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { selectedIds } from '../../update/marks.ts'
import { columnSpans, emptyRow, type Row, row, type Span, span, type Tone } from '../text/row.ts'
import { dueText } from '../text/time.ts'
import { hintRows, listRow, noMatchRows, type Pane, type PaneInput, shortId } from './pane.ts'
import { onlyOrderText, ruledRow, titleRow } from './title.ts'
import { hiddenPendingCount, shownPendingText } from '../../model/health.ts'

export const agendaPane: Pane = {
  id: 'agenda',
  rows(input) {
    const { model, rect } = input
    const rows = model.snapshot?.agenda ?? []
    const title = titleRow(input, 'agenda', onlyOrderText(model), countText(input))
    const none = noMatchRows(input, 'agenda')
    if (rows.length === 0) return [title, ...(none.length > 0 ? none : emptyText(input))]
    const height = listHeight(model, 'agenda')
    const chosen = chosenItem(model)
    const nextId = rows.find(({ held }) => !held)?.id
    const focused = focusOf(model) === 'agenda'
    const shown = rows.slice(model.agenda.top, model.agenda.top + height)
    const selected = new Set(selectedIds(model))
    const list = shown.map((item): Row => {
      const here = item.id === chosen?.id && focused
      const mark = selected.size === 0 ? '' : selected.has(item.id) ? '*' : ' '
      const width = rect.width - 1 - mark.length
      const spans = [
        span(here ? '>' : ' '),
        span(mark, 'accent'),
        ...itemSpans(item, item.id === nextId, width, input),
      ]
      return listRow(spans, item.id, here ? 'here' : undefined)
    })
    const note = agendaNoteHeight(rect.height)
    if (note === 0 || !chosen) return [title, ...list]
    const gap = Array.from({ length: Math.max(0, height - list.length) }, () => emptyRow)
    return [title, ...list, ...gap, ...noteRows(chosen, input)]
  },
}

/** Number of pending and of hidden items: loops, superseded items, and other orders when only one is shown. */
function countText({ model, rect }: PaneInput): readonly Span[] {
  const { snapshot } = model
  if (!snapshot) return []
  const { held } = snapshot.info.counts
  const selected = selectedIds(model).length
  if (selected > 0) return [span(`${selected} marked`, 'accent')]
  const hidden = hiddenPendingCount(model)
  const text = `${shownPendingText(model)} pending${hidden > 0 && rect.width >= 56 ? `, ${hidden} hidden` : ''}`
  return held === 0
    ? [span(text, 'muted')]
    : [span(`${text}, `, 'muted'), span(`${held} held`, 'warn')]
}

function emptyText({ model, rect }: PaneInput): readonly Row[] {
  const { snapshot, only } = model
  if (!snapshot) return []
  if (snapshot.playback)
    return hintRows(rect.width, 'Nothing is ready to be sent.', ': goes to a place, M minimises.')
  if (only) return hintRows(rect.width, 'Nothing is pending for this order.', 'o shows all again.')
  const hint =
    snapshot.info.clock.mode === 'stepped'
      ? `${firstOrderHint(model)} n then takes one item at a time.`
      : 'space stops the clock, so that you can reorder, drop or duplicate what comes.'
  const isHidden = hiddenPendingCount(model) > 0 && focusOf(model) === 'agenda'
  const keys = model.everything ? 'b shows the loops.' : '* shows everything, b the loops.'
  return hintRows(rect.width, 'Nothing is pending.', hint, ...(isHidden ? [keys] : []))
}

function itemSpans(
  item: AgendaRow,
  next: boolean,
  width: number,
  { model, rect, glyphs }: PaneInput,
): readonly Span[] {
  const { mark, tone } = itemMark(item, next, glyphs)
  const due = item.held ? 'held' : dueText(item.due, shownInstant(model))
  const isOfChosenOrder = item.orderId !== undefined && item.orderId === model.orderId
  return columnSpans(width, [
    { text: due, width: 7, align: 'right', tone: item.held ? 'warn' : 'muted' },
    { text: mark, width: 1, tone },
    ...(rect.width >= 50 ? [{ text: `#${item.id}`, width: 5, tone: 'muted' } as const] : []),
    {
      text: itemText(item, rect.width),
      tone: item.background ? 'muted' : 'plain',
      ...compact({ more: item.effect }),
    },
    { text: shortId(item.orderId), width: 8, tone: isOfChosenOrder ? 'accent' : 'muted' },
  ])
}

function itemMark(
  { held }: AgendaRow,
  next: boolean,
  glyphs: Glyphs,
): { readonly mark: string; readonly tone: Tone } {
  if (held) return { mark: glyphs.held, tone: 'warn' }
  return next ? { mark: glyphs.next, tone: 'accent' } : { mark: glyphs.scheduled, tone: 'muted' }
}

/** Notes on an item: `try 3, copy of #4, edited`. */
export function itemNotes({ attempt, copyOf, edited, fault, waits }: AgendaRow): string {
  const notes = [
    attempt !== undefined && attempt > 1 ? `try ${attempt}` : '',
    copyOf === undefined ? '' : `copy of #${copyOf}`,
    edited === true ? 'edited' : '',
    fault ?? '',
    waits === undefined ? '' : `waits for ${waits}`,
  ]
  return notes.filter((note) => note !== '').join(', ')
}

/** In a narrow pane the notes are abbreviated and put before the text, where they are not cut off. */
function itemText(item: AgendaRow, width: number): string {
  const notes = itemNotes(item)
  if (notes === '') return item.text
  if (width >= 56) return `${item.text} (${notes})`
  const brief = notes.split(', ').map((note) => note.replace(/ of .*/, ''))
  return `[${brief.join(' ')}] ${item.text}`
}

/** Details of the chosen item, at the foot of the pane. */
function noteRows(item: AgendaRow, input: PaneInput): readonly Row[] {
  const { model, glyphs } = input
  const notes = itemNotes(item)
  const due = item.held ? 'held: p releases it' : `due ${dueText(item.due, shownInstant(model))}`
  return [
    ruledRow(input, false, [span(`#${item.id}`, 'muted')], []),
    row(span(` ${item.text}`, 'strong')),
    row(
      span(` ${due}`, item.held ? 'warn' : 'plain'),
      span(item.orderId === undefined ? '' : `  ${shortId(item.orderId)}`, 'muted'),
      span(notes === '' ? '' : `  ${notes}`, 'info'),
    ),
    row(span(item.effect === undefined ? '' : ` ${glyphs.leads} ${item.effect}`, 'plain')),
  ]
}
