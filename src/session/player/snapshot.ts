/** Takes a snapshot of a recording and its playback: bounded windows around what is shown. */
import { compact } from '../../compact.ts'
import type {
  PlaybackSnapshot,
  PlaybackPair,
  PlaybackViewRow,
  PlaybackView,
} from '../../session-api/playback.ts'
import { exchangeText } from '../../views/playback-rows.ts'
import { editTexts } from './edits.ts'
import { lastPlacesOfOrders, type ExchangeReader } from './reader.ts'
import type { PlaybackResults } from './results.ts'
import type { FilterSearch } from './search.ts'
import { firstPlaceWhere, type RecordingTimeline } from './timeline.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'

export interface PlaybackSnapshotParts {
  readonly timeline: RecordingTimeline
  readonly reader: ExchangeReader
  readonly results: PlaybackResults
  readonly search: FilterSearch
  readonly target: string | undefined
  readonly rowOf: (recorded: RecordedExchange, place: number) => PlaybackViewRow
  readonly position: () => number
  readonly next: () => number | undefined
  readonly marks: () => PlaybackSnapshot['marks']
  readonly edits: () => number
  readonly over: () => boolean
}

/** Maximum number of rows of one list. */
const maxRows = 500
const maxOrders = 200

const clamp = (limit: number, max: number): number => Math.max(0, Math.min(limit, max))

export async function takePlaybackSnapshot(
  parts: PlaybackSnapshotParts,
  view: PlaybackView,
  requestedAt: number,
): Promise<PlaybackSnapshot> {
  const { timeline, results } = parts
  const at = Math.max(0, Math.min(requestedAt, timeline.count))
  const list = placesOf(parts, view)
  const [rows, orders, lane, pair] = await Promise.all([
    rowsAt(parts, list.places),
    ordersAt(parts, view, at),
    laneOf(parts, view, at),
    pairOf(parts, view.pair),
  ])
  const trouble = results.trouble()
  const next = parts.next()
  const [first] = trouble
  return {
    recording: timeline.file,
    total: timeline.count,
    ...(timeline.isWhole ? {} : { growing: true as const }),
    ...compact({ target: parts.target }),
    position: parts.position(),
    at,
    ...compact({ next }),
    now: nowAt(timeline, at),
    counts: results.counts(),
    failures: results.failures(),
    ...compact({ first }),
    trouble,
    marks: parts.marks(),
    rows,
    passing: list.passing,
    ...compact({ tried: list.tried, problem: list.problem }),
    ...orders,
    lane,
    ...compact({ pair }),
    edits: parts.edits(),
    over: parts.over(),
  }
}

/** The time of the next exchange, which has not begun yet. */
function nowAt(timeline: RecordingTimeline, at: number): number {
  if (timeline.count === 0) return 0
  return timeline.row(Math.min(at, timeline.count - 1)).startedAt
}

interface Listed {
  readonly places: readonly number[]
  readonly passing: number
  readonly tried?: number
  readonly problem?: string
}

function placesOf(
  { timeline, search }: PlaybackSnapshotParts,
  { rows, filter = '' }: PlaybackView,
): Listed {
  const { around, limit } = rows ?? { around: 0, limit: 0 }
  const count = clamp(limit, maxRows)
  if (filter.trim() === '') {
    search.stop()
    const from = Math.max(0, around - count)
    const to = Math.min(timeline.count, around + count)
    const places = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
    return { places, passing: timeline.count }
  }
  const found = search.resultsFor(filter)
  if (!found.ok) return { places: [], passing: 0, problem: found.error }
  const { places, tried, done } = found.value
  const index = firstPlaceWhere(places.length, (each) => (places[each] ?? 0) >= around)
  return {
    places: places.slice(Math.max(0, index - count), index + count),
    passing: places.length,
    ...(done ? {} : { tried }),
  }
}

async function rowsAt(
  { reader, rowOf }: PlaybackSnapshotParts,
  places: readonly number[],
): Promise<readonly PlaybackViewRow[]> {
  const read = await reader.readMany(places)
  return read.map((recorded, index) => rowOf(recorded, places[index] ?? 0))
}

async function ordersAt(
  { timeline, reader }: PlaybackSnapshotParts,
  { orders }: PlaybackView,
  at: number,
): Promise<Pick<PlaybackSnapshot, 'orders' | 'orderCount'>> {
  if (!orders) return { orders: [], orderCount: 0 }
  const limit = clamp(orders.limit, maxOrders)
  const offset = clamp(orders.offset ?? 0, timeline.count)
  // One more than shown, to know whether the list continues.
  const all = lastPlacesOfOrders(timeline, at, offset + limit + 1)
  const places = all.slice(offset, offset + limit)
  const read = await reader.readMany(places)
  return {
    orderCount: all.length,
    orders: read.flatMap((recorded, index) =>
      recorded.orderId === undefined
        ? []
        : [
            {
              orderId: recorded.orderId,
              text: exchangeText(recorded),
              at: recorded.startedAt,
              place: places[index] ?? 0,
            },
          ],
    ),
  }
}

async function laneOf(
  parts: PlaybackSnapshotParts,
  { lane }: PlaybackView,
  at: number,
): Promise<readonly PlaybackViewRow[]> {
  if (!lane) return []
  const about = await parts.reader.about(lane.orderId)
  const until = firstPlaceWhere(about.length, (index) => (about[index] ?? 0) >= at)
  const from = Math.max(0, until - clamp(lane.limit, maxRows))
  const places = Array.from({ length: until - from }, (_, index) => about[from + index] ?? 0)
  return rowsAt(parts, places)
}

async function pairOf(
  { timeline, reader, results, rowOf }: PlaybackSnapshotParts,
  place: number | undefined,
): Promise<PlaybackPair | undefined> {
  if (place === undefined || place < 0 || place >= timeline.count) return undefined
  const recorded = await reader.read(place)
  const replayed = results.whole(place)
  const live = replayed?.renamed ?? replayed?.live
  return {
    row: rowOf(recorded, place),
    recorded,
    ...compact({ live }),
    differences: replayed?.differences ?? [],
    edits: editTexts(recorded),
    ...(replayed?.because === undefined ? {} : { because: replayed.because }),
  }
}
