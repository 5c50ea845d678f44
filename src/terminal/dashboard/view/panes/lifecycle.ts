/**
 * Lifecycle of an order or entity: one status per row (reached with time, current, possible) and its moves; or all on one row,
 * around the current status where they do not fit.
 */
import { shortRoleName } from '../../../../core/protocol/role.ts'
import { type Model, shownInstant } from '../../model/model.ts'
import { movesOf } from '../../model/key-outcomes.ts'
import {
  columnSpans,
  cutSpans,
  emptyRow,
  fittingPairs,
  type Row,
  row,
  span,
  type Span,
  type Tone,
  widthOf,
} from '../text/row.ts'
import { ageText, timeText } from '../text/time.ts'
import type { PaneInput } from './pane.ts'
import type { EntityDetail, Move } from '../../../../core/session-api/entities.ts'
import type { Glyphs } from '../text/glyphs.ts'

/** An order, account, delivery … with its lifecycle. */
export interface LifecycleDetail extends Pick<
  EntityDetail,
  'statusHistory' | 'regularStatuses' | 'moves'
> {
  readonly row: { readonly status: string }
}

/** When a status was reached, and the trigger or the age. */
interface StationTime {
  readonly at: string
  readonly note: string
}
const noStationTime: StationTime = { at: '', note: '' }

export function lifecycleRows(
  detail: LifecycleDetail,
  { model, rect, glyphs }: PaneInput,
): readonly Row[] {
  const { statusHistory, regularStatuses, row: entity } = detail
  const isFailed = isFailureStatus(entity.status)
  const station = (
    mark: string,
    status: string,
    tone: Tone,
    when: StationTime = noStationTime,
  ): Row => ({
    spans: columnSpans(rect.width, [
      { text: ` ${mark}`, width: 2, tone },
      { text: status, width: 12, tone },
      { text: when.at, width: rect.width >= 44 ? 12 : 8, tone: 'muted' },
      { text: when.note, tone: 'muted' },
    ]),
  })
  const visited = statusHistory.map(({ status, at, trigger = '' }, index) => {
    const time = timeText(at, rect.width >= 44)
    if (index < statusHistory.length - 1)
      return station(glyphs.done, status, 'ok', { at: time, note: trigger })
    const since = { at: time, note: ageText(shownInstant(model) - at) }
    return isFailed
      ? station(glyphs.failed, status, 'err', since)
      : station(glyphs.now, status, 'accent', since)
  })
  const reached = regularStatuses.indexOf(entity.status)
  const ahead = reached < 0 ? [] : regularStatuses.slice(reached + 1)
  return [...visited, ...ahead.map((status) => station(glyphs.open, status, 'muted'))]
}

/** The head rows, then as many rows of moves and other sections as fit. */
export function rowsWithMoves(
  head: readonly Row[],
  rest: readonly (readonly [name: string, rows: readonly Row[]])[],
  { model, rect }: PaneInput,
): readonly Row[] {
  const room = rect.height - 1
  const valid = moveRows(movesOf(model, 'move'), '>', rect.width)
  const forced = moveRows(movesOf(model, 'force'), '!', rect.width)
  const parts: Row[] = [...head]
  const add = (name: string, rows: readonly Row[]): void => {
    const left = room - parts.length
    if (rows.length === 0 || left < 3) return
    parts.push(emptyRow, row(span(` ${name}`, 'muted')), ...rows.slice(0, left - 2))
  }
  add(valid.length === 0 ? 'no valid transition' : 'next', valid)
  add('force', forced)
  for (const [name, rows] of rest) add(name, rows)
  return parts.slice(0, room)
}

const moveRows = (moves: readonly Move[], key: '>' | '!', width: number): readonly Row[] =>
  moves.slice(0, 9).map((move, index) => ({
    spans: columnSpans(width, [
      { text: ` ${key}${index + 1}`, width: 3, tone: key === '>' ? 'accent' : 'warn' },
      { text: move.trigger, width: 16, tone: key === '>' ? 'plain' : 'muted' },
      { text: shortRoleName[move.by], width: 3, tone: 'muted' },
      { text: move.to, tone: 'muted' },
    ]),
  }))

/** Legal and forced moves on one row each, for low panes. */
export function moveSummaryRows(model: Model, width: number): readonly Row[] {
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
    return row(head, ...(pairs.length === 0 ? none : fittingPairs(pairs, room)))
  }
  return [line('next    ', 'move', '>'), line('force   ', 'force', '!')]
}

/** Final statuses of failure. */
const failureStatuses: ReadonlySet<string> = new Set([
  'CANCELLED',
  'FAILED',
  'cancelled',
  'expired',
])

export const isFailureStatus = (status: string): boolean => failureStatuses.has(status)

export function lifecycleStripRow(
  { statusHistory, regularStatuses, row: entity }: LifecycleDetail,
  width: number,
  glyphs: Glyphs,
): Row {
  const visited = statusHistory
    .slice(0, -1)
    .map(({ status }) => span(`${glyphs.done}${status}`, 'ok'))
  const isFailed = isFailureStatus(entity.status)
  const now = span(
    `${isFailed ? glyphs.failed : glyphs.now}${entity.status}`,
    isFailed ? 'err' : 'accent',
  )
  const place = regularStatuses.indexOf(entity.status)
  const ahead = place < 0 ? [] : regularStatuses.slice(place + 1)
  const upcoming = ahead.map((status) => span(`${glyphs.open}${status}`, 'muted'))
  return { spans: windowAround([...visited, now, ...upcoming], visited.length, width, glyphs) }
}

/** Statuses around the current one that fit, with a mark where others are cut off. */
function windowAround(
  stations: readonly Span[],
  current: number,
  width: number,
  glyphs: Glyphs,
): readonly Span[] {
  const link = span(` ${glyphs.link} `, 'muted')
  const join = (from: number, to: number): readonly Span[] => {
    const spans: Span[] = [span(' ')]
    if (from > 0) spans.push(span(`${glyphs.more} `, 'muted'))
    for (let index = from; index <= to; index++) {
      const station = stations[index]
      if (index > from) spans.push(link)
      if (station) spans.push(station)
    }
    if (to < stations.length - 1) spans.push(span(` ${glyphs.more}`, 'muted'))
    return spans
  }
  let from = current
  let to = current
  for (;;) {
    const wider: readonly (readonly [number, number])[] = [
      [from, Math.min(stations.length - 1, to + 1)],
      [Math.max(0, from - 1), to],
    ]
    const fitting = wider.find(
      ([start, end]) => (start < from || end > to) && widthOf(join(start, end)) <= width,
    )
    if (!fitting) return cutSpans(join(from, to), width)
    from = fitting[0]
    to = fitting[1]
  }
}
