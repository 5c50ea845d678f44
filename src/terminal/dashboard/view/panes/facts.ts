/** Pane 1, past: facts, one per row. During time travel later facts are dim. */
import { hidesOtherFacts } from '../../model/query.ts'
import { firstOrderHint } from '../../model/key-outcomes.ts'
import type { JournalRow } from '../../../../core/session-api/session-api.ts'
import { focusOf, listHeight, type Model } from '../../model/model.ts'
import { type Cell, columnSpans, type Row, type Span, span, type Tone } from '../text/row.ts'
import { timeText } from '../text/time.ts'
import { logWindow } from '../../update/logs.ts'
import {
  partyText,
  hintRows,
  listRow,
  noMatchRows,
  type Pane,
  type PaneInput,
  shortId,
} from './pane.ts'
import { followText, onlyOrderText, titleRow } from './title.ts'

export const factsPane: Pane = {
  id: 'facts',
  rows(input) {
    const { model, rect } = input
    const rows = model.snapshot?.journal ?? []
    const scope = hidesOtherFacts(model) ? [span('of your service', 'info')] : []
    const narrowed = onlyOrderText(model)
    const between = scope.length > 0 && narrowed.length > 0 ? [span(' ')] : []
    const left = [...scope, ...between, ...narrowed]
    const title = titleRow(input, 'facts', left, followText(model, 'facts'))
    const none = noMatchRows(input, 'facts')
    if (rows.length === 0) return [title, ...(none.length > 0 ? none : emptyText(input))]
    const height = listHeight(model, 'facts')
    const { top, chosen } = logWindow(rows, model.facts, height)
    const focused = focusOf(model) === 'facts'
    const marked = focused || model.at !== undefined
    return [
      title,
      ...rows.slice(top, top + height).map((fact, index): Row => {
        const here = top + index === chosen
        const spans = [span(here && marked ? '>' : ' '), ...factSpans(fact, rect.width, model)]
        return listRow(spans, fact.seq, here && focused ? 'here' : undefined)
      }),
    ]
  },
}

const emptyText = ({ model, rect }: PaneInput): readonly Row[] => {
  const { playback } = model.snapshot ?? {}
  if (playback)
    return hintRows(
      rect.width,
      playback.target === undefined
        ? 'Nothing happens here: without a target nothing is sent.'
        : 'Nothing was sent yet: n sends the first.',
    )
  if (model.only) return hintRows(rect.width, 'Nothing has happened to this order yet.')
  if (hidesOtherFacts(model))
    return hintRows(rect.width, 'Nothing has happened to your service yet.', '* shows the rest.')
  // Facts exist and have been queried: they come with the next frame.
  if ((model.snapshot?.info.counts.facts ?? 1) > 0) return []
  return hintRows(rect.width, 'Nothing has happened yet.', firstOrderHint(model))
}

function factSpans(fact: JournalRow, width: number, { at, orderId }: Model): readonly Span[] {
  const roomy = width >= 70
  const isAfterShownFact = at !== undefined && fact.seq > at
  const isOfChosenOrder = fact.orderId !== undefined && fact.orderId === orderId
  const number: Cell = { text: String(fact.seq), width: 6, align: 'right', tone: 'muted' }
  return columnSpans(width - 1, [
    { text: timeText(fact.at, roomy), width: roomy ? 12 : 8, tone: 'muted' },
    ...(width >= 90 ? [number] : []),
    { text: fact.text, tone: isAfterShownFact ? 'muted' : toneOf(fact) },
    { text: shortId(fact.orderId), width: 8, tone: isOfChosenOrder ? 'accent' : 'muted' },
    { text: partyText(fact.by), width: width >= 76 ? 11 : 8, tone: 'muted' },
  ])
}

/** Emphasis of facts: status changes of orders, and failures. */
function toneOf({ kind }: JournalRow): Tone {
  switch (kind) {
    case 'order.moved':
    case 'order.created':
      return 'strong'
    case 'event.push-failed':
    case 'ticket.event-repeated':
    case 'ticket.event-forbidden':
    case 'ticket.refused':
    case 'order.lapsed':
      return 'warn'
    case 'event.given-up':
    case 'ticket.stuck':
    case 'partner.rejected':
      return 'err'
    // Bookkeeping of the agenda, which accompanies every other fact.
    case 'agenda.planned':
    case 'agenda.taken':
      return 'muted'
    default:
      return 'plain'
  }
}
