/**
 * Pane 4, present: the chosen order's state machine. Where it has been, where it is, what may come, and what digit
 * brings it there; what the lifecycle forbids stands last, behind `!`. Low panes get it as a strip.
 */
import { shortName } from '../../protocol/role.ts'
import type { Move, OrderDetail } from '../../session-face.ts'
import { type Model, shownInstant } from '../model.ts'
import { movesOf } from '../outcomes.ts'
import {
  columns,
  emptyRow,
  type Row,
  row,
  span,
  type Tone,
  wholePairs,
  widthOf,
} from '../text/row.ts'
import { ageText, timeText } from '../text/time.ts'
import { hints, type Pane, type PaneInput, shortId } from './pane.ts'
import { stripRow } from './strip.ts'
import { titleRow } from './title.ts'

export const orderPane: Pane = {
  id: 'order',
  rows(input) {
    const { model, rect } = input
    const detail = model.seen?.order
    if (!detail) {
      const title = titleRow(input, 'order')
      const orders = model.seen?.orders.length ?? 0
      const hint = orders === 0 ? 'N makes an order.' : 'Choose one in pane 3.'
      return [title, ...hints(rect.width, 'No order is chosen.', hint)]
    }
    const { row: order } = detail
    const title = titleRow(
      input,
      'order',
      [span(`${order.displayId} ${order.profile}`, 'strong')],
      [span(shortId(order.orderId), 'muted')],
    )
    return rect.height < 10
      ? [title, stripRow(detail, rect.width, input.glyphs), ...moveLines(model, rect.width)]
      : [title, ...list(detail, input)]
  },
}

/** The way and the moves, as many rows of each as fit; the way gives way last. */
function list(detail: OrderDetail, input: PaneInput): readonly Row[] {
  const { model, rect } = input
  const room = rect.height - 1
  const head = [headRow(detail, input)]
  const way = wayRows(detail, input)
  const lawful = moveRows(movesOf(model, 'move'), '>', rect.width)
  const forced = moveRows(movesOf(model, 'force'), '!', rect.width)
  const events = eventRows(detail, rect.width)
  const parts: Row[] = [...head, ...way]
  const add = (name: string, rows: readonly Row[]): void => {
    const left = room - parts.length
    if (rows.length === 0 || left < 3) return
    parts.push(emptyRow, row(span(` ${name}`, 'muted')), ...rows.slice(0, left - 2))
  }
  add(lawful.length === 0 ? 'no lawful move' : 'next', lawful)
  add('by force', forced)
  add('events', events)
  return parts.slice(0, room)
}

function headRow({ row: order }: OrderDetail, { rect }: PaneInput): Row {
  return {
    spans: columns(rect.width, [
      { text: ` ${order.merchant}${order.customer === undefined ? '' : ` for ${order.customer}`}` },
      { text: order.amount, width: Math.min(12, order.amount.length), align: 'right' },
    ]),
  }
}

/** When a station was reached, and by what or how long ago. */
interface When {
  readonly at: string
  readonly note: string
}
const nowhen: When = { at: '', note: '' }

function wayRows(detail: OrderDetail, { model, rect, glyphs }: PaneInput): readonly Row[] {
  const { way, strip, row: order } = detail
  const over = order.status === 'CANCELLED'
  const station = (mark: string, status: string, tone: Tone, when: When = nowhen): Row => ({
    spans: columns(rect.width, [
      { text: ` ${mark}`, width: 2, tone },
      { text: status, width: 12, tone },
      { text: when.at, width: rect.width >= 44 ? 12 : 8, tone: 'muted' },
      { text: when.note, tone: 'muted' },
    ]),
  })
  const visited = way.map(({ status, at, trigger = '' }, index) => {
    const time = timeText(at, rect.width >= 44)
    if (index < way.length - 1)
      return station(glyphs.done, status, 'ok', { at: time, note: trigger })
    const since = { at: time, note: ageText(shownInstant(model) - at) }
    return over
      ? station(glyphs.failed, status, 'err', since)
      : station(glyphs.now, status, 'accent', since)
  })
  const reached = strip.indexOf(order.status)
  const ahead = reached < 0 ? [] : strip.slice(reached + 1)
  return [
    ...visited,
    ...ahead.map((status) => station(glyphs.open, status, 'muted')),
    ...disagreement(detail),
  ]
}

function disagreement({ row: order }: OrderDetail): readonly Row[] {
  const { believed, status, cancellation } = order
  const rows: Row[] = []
  if (believed !== undefined && believed !== status)
    rows.push(row(span(` ! SS believes ${believed}`, 'warn')))
  if (cancellation !== undefined) rows.push(row(span(` ! cancellation: ${cancellation}`, 'warn')))
  return rows
}

const moveRows = (moves: readonly Move[], key: '>' | '!', width: number): readonly Row[] =>
  moves.slice(0, 9).map((move, index) => ({
    spans: columns(width, [
      { text: ` ${key}${index + 1}`, width: 3, tone: key === '>' ? 'accent' : 'warn' },
      { text: move.trigger, width: 16, tone: key === '>' ? 'plain' : 'muted' },
      { text: shortName[move.by], width: 3, tone: 'muted' },
      { text: move.to, tone: 'muted' },
    ]),
  }))

const eventRows = ({ events }: OrderDetail, width: number): readonly Row[] =>
  events.map(({ eventType, state }) => ({
    spans: columns(width, [
      { text: ` ${eventType}`, width: Math.min(30, Math.floor(width / 2)) },
      { text: state, tone: 'muted' },
    ]),
  }))

/** The moves on one line each, for the strip. */
function moveLines(model: Model, width: number): readonly Row[] {
  const line = (name: string, kind: 'move' | 'force', key: string): Row => {
    const head = span(` ${name}`, 'muted')
    const pairs = movesOf(model, kind)
      .slice(0, 9)
      .flatMap(({ trigger }, index) => [
        span(` ${key}${index + 1} `, kind === 'move' ? 'accent' : 'warn'),
        span(trigger, kind === 'move' ? 'plain' : 'muted'),
      ])
    const none = [span(' none', 'muted')]
    const room = width - widthOf([head])
    return row(head, ...(pairs.length === 0 ? none : wholePairs(pairs, room)))
  }
  return [line('next    ', 'move', '>'), line('by force', 'force', '!')]
}
