/** Takes a snapshot of a recording and its playback: bounded windows around what is shown. */
import { compact } from '../../compact.ts'
import type {
  PlaybackLook,
  PlaybackPair,
  PlaybackRow,
  PlaybackView,
} from '../../session-api/playback.ts'
import { exchangeText } from '../../views/playback-rows.ts'
import { lastOfOrders, type Reading } from './reader.ts'
import type { Results } from './results.ts'
import type { Search } from './search.ts'
import { firstPlace, type Tape } from './timeline.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'

export interface Looked {
  readonly tape: Tape
  readonly reading: Reading
  readonly results: Results
  readonly search: Search
  readonly target: string | undefined
  readonly rowOf: (recorded: RecordedExchange, place: number) => PlaybackRow
  readonly position: () => number
  readonly next: () => number | undefined
  readonly marks: () => PlaybackLook['marks']
  readonly over: () => boolean
}

/** Maximum number of rows of one list. */
const mostRows = 500
const mostOrders = 200

const bounded = (limit: number, most: number): number => Math.max(0, Math.min(limit, most))

export async function lookAtTape(
  looked: Looked,
  view: PlaybackView,
  given: number,
): Promise<PlaybackLook> {
  const { tape, results } = looked
  const at = Math.max(0, Math.min(given, tape.count))
  const list = placesOf(looked, view)
  const [rows, orders, lane, pair] = await Promise.all([
    rowsAt(looked, list.places),
    ordersAt(looked, view, at),
    laneOf(looked, view, at),
    pairOf(looked, view.pair),
  ])
  const trouble = results.trouble()
  const next = looked.next()
  const [first] = trouble
  return {
    recording: tape.file,
    total: tape.count,
    ...compact({ target: looked.target }),
    position: looked.position(),
    at,
    ...compact({ next }),
    now: nowAt(tape, at),
    counts: results.counts(),
    ...compact({ first }),
    trouble,
    marks: looked.marks(),
    rows,
    passing: list.passing,
    ...compact({ tried: list.tried, problem: list.problem }),
    ...orders,
    lane,
    ...compact({ pair }),
    over: looked.over(),
  }
}

/** The time of the next exchange, which has not begun yet. */
function nowAt(tape: Tape, at: number): number {
  if (tape.count === 0) return 0
  return tape.row(Math.min(at, tape.count - 1)).startedAt
}

interface Listed {
  readonly places: readonly number[]
  readonly passing: number
  readonly tried?: number
  readonly problem?: string
}

function placesOf({ tape, search }: Looked, { rows, filter = '' }: PlaybackView): Listed {
  const { around, limit } = rows ?? { around: 0, limit: 0 }
  const many = bounded(limit, mostRows)
  if (filter.trim() === '') {
    search.stop()
    const from = Math.max(0, around - many)
    const to = Math.min(tape.count, around + many)
    const places = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
    return { places, passing: tape.count }
  }
  const found = search.of(filter)
  if (!found.ok) return { places: [], passing: 0, problem: found.error }
  const { places, tried, done } = found.value
  const index = firstPlace(places.length, (each) => (places[each] ?? 0) >= around)
  return {
    places: places.slice(Math.max(0, index - many), index + many),
    passing: places.length,
    ...(done ? {} : { tried }),
  }
}

async function rowsAt(
  { reading, rowOf }: Looked,
  places: readonly number[],
): Promise<readonly PlaybackRow[]> {
  const read = await reading.many(places)
  return read.map((recorded, index) => rowOf(recorded, places[index] ?? 0))
}

async function ordersAt(
  { tape, reading }: Looked,
  { orders }: PlaybackView,
  at: number,
): Promise<Pick<PlaybackLook, 'orders' | 'orderCount'>> {
  if (!orders) return { orders: [], orderCount: 0 }
  const limit = bounded(orders.limit, mostOrders)
  const offset = bounded(orders.offset ?? 0, tape.count)
  // One more than shown, to know whether the list continues.
  const all = lastOfOrders(tape, at, offset + limit + 1)
  const places = all.slice(offset, offset + limit)
  const read = await reading.many(places)
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
  looked: Looked,
  { lane }: PlaybackView,
  at: number,
): Promise<readonly PlaybackRow[]> {
  if (!lane) return []
  const about = await looked.reading.about(lane.orderId)
  const until = firstPlace(about.length, (index) => (about[index] ?? 0) >= at)
  const from = Math.max(0, until - bounded(lane.limit, mostRows))
  const places = Array.from({ length: until - from }, (_, index) => about[from + index] ?? 0)
  return rowsAt(looked, places)
}

async function pairOf(
  { tape, reading, results, rowOf }: Looked,
  place: number | undefined,
): Promise<PlaybackPair | undefined> {
  if (place === undefined || place < 0 || place >= tape.count) return undefined
  const recorded = await reading.one(place)
  const replayed = results.whole(place)
  const live = replayed?.renamed ?? replayed?.live
  return {
    row: rowOf(recorded, place),
    recorded,
    ...compact({ live }),
    differences: replayed?.differences ?? [],
    ...(replayed?.because === undefined ? {} : { because: replayed.because }),
  }
}
