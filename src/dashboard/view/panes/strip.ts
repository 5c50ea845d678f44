/**
 * Lifecycle on one row: reached statuses, the current one, and possible ones. When they do not fit, a window around the
 * current status is shown.
 */
import type { Glyphs } from '../text/glyphs.ts'
import { cutSpans, type Row, type Span, span, widthOf } from '../text/row.ts'
import type { EntityDetail } from '../../../session-api/entities.ts'

/** Lifecycle of an order or another entity. */
interface LifecycleStrip extends Pick<EntityDetail, 'statusHistory' | 'regularStatuses'> {
  readonly row: { readonly status: string }
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
  { statusHistory, regularStatuses, row }: LifecycleStrip,
  width: number,
  glyphs: Glyphs,
): Row {
  const visited = statusHistory
    .slice(0, -1)
    .map(({ status }) => span(`${glyphs.done}${status}`, 'ok'))
  const isFailed = isFailureStatus(row.status)
  const now = span(
    `${isFailed ? glyphs.failed : glyphs.now}${row.status}`,
    isFailed ? 'err' : 'accent',
  )
  const place = regularStatuses.indexOf(row.status)
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
