/** Takes a snapshot of a recording and its playback: bounded windows around what is shown. */
import { compact } from '../../../core/base/compact.ts'
import type {
  PlaybackPair,
  PlaybackSnapshot,
  PlaybackView,
  PlaybackViewRow,
} from '../../../core/session-api/playback.ts'
import { isIdlePoll, isPollCall } from '../../../core/traffic/polling.ts'
import { exchangeText } from '../../../core/views/playback-rows.ts'
import { editTexts } from './edits.ts'
import {
  type ExchangeReader,
  firstPlaceWhere,
  lastPlacesOfOrders,
  type RecordingTimeline,
} from './timeline.ts'
import type { PlaybackResults } from './results.ts'
import type { FilterSearch } from './search.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { setBounded } from '../../../core/engine/bounded.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { isOrderEventType, orderEvents } from '../../../core/protocol/orders/events.ts'
import { OrderStatus } from '../../../core/protocol/orders/order.ts'
import { eventTypeOf, splitByEvent } from '../../../core/traffic/recording/split-by-event.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { tryParseJson } from '../../../core/traffic/json/try-parse-json.ts'

/** The status of the orders of a recording at one place, as its events and documents tell it. */
type StatusesOfOrders = readonly (readonly [orderId: string, status: OrderStatus])[]

function documentStatus({ operation, reply }: Exchange): OrderStatus | undefined {
  if (operation !== 'getOrder' || reply?.status !== 200) return undefined
  const document = tryParseJson(reply.body)
  const parsed = OrderStatus.safeParse(isUnknownRecord(document) ? document['status'] : undefined)
  return parsed.success ? parsed.data : undefined
}

/** What an exchange tells of orders: by the events that it hands over, or by the document that it answers. */
function statusesIn(exchange: Exchange): StatusesOfOrders {
  return splitByEvent(exchange).flatMap((part): StatusesOfOrders => {
    const type = eventTypeOf(part) ?? ''
    const projected = isOrderEventType(type) ? orderEvents[type].projects : undefined
    const status = projected ?? documentStatus(part)
    return part.orderId === undefined || status === undefined ? [] : [[part.orderId, status]]
  })
}

/** Maximum number of rows looked at for one screen of orders. */
const maxScanned = 20_000
/** Maximum number of exchanges read for each order, and of polls read for all of them. */
const maxOwnRead = 3
const maxPollsOfStatus = 40
const maxCached = 4000

/** Operations whose exchanges tell the status of their order. */
const isTelling = (operation: string | undefined): boolean =>
  operation === 'getOrder' || operation?.startsWith('receive') === true

interface OrderStatuses {
  /** The statuses of these orders before the place `until`, by order id; unknown ones are absent. */
  readonly before: (
    until: number,
    wanted: ReadonlyMap<number, string>,
  ) => Promise<ReadonlyMap<string, OrderStatus>>
}

/** `wanted` has the orders by their entity in the timeline. */
export function createOrderStatuses(
  timeline: RecordingTimeline,
  reader: Pick<ExchangeReader, 'read'>,
): OrderStatuses {
  // By number: places move while a recording is indexed.
  const statusesBySeq = new Map<number, StatusesOfOrders>()

  async function statusesAt(place: number): Promise<StatusesOfOrders> {
    const { seq } = timeline.row(place)
    const known = statusesBySeq.get(seq)
    if (known) return known
    const found = statusesIn(await reader.read(place))
    setBounded(statusesBySeq, seq, found, maxCached)
    return found
  }

  return {
    async before(until, wanted) {
      const statuses = new Map<string, OrderStatus>()
      const entities = new Map([...wanted].map(([entity, orderId]) => [orderId, entity]))
      /** Orders without a status so far, with the number of their exchanges that were read. */
      const left = new Map([...wanted.keys()].map((entity) => [entity, 0]))
      let pollsRead = 0
      /** Whether to read it: a poll hands over events of any order. */
      const isWanted = (place: number): boolean => {
        const { entity, operation, status } = timeline.row(place)
        if (isPollCall({ operation })) return status === 200 && pollsRead++ < maxPollsOfStatus
        const read = entity === undefined ? undefined : left.get(entity)
        if (entity === undefined || read === undefined || !isTelling(operation)) return false
        left.set(entity, read + 1)
        return read < maxOwnRead
      }
      const end = Math.max(0, until - maxScanned)
      for (let place = until - 1; place >= end && left.size > 0; place--) {
        if (!isWanted(place)) continue
        // Of several events in one exchange the last is the latest.
        for (const [orderId, status] of (await statusesAt(place)).toReversed()) {
          const entity = entities.get(orderId)
          if (entity !== undefined && left.delete(entity)) statuses.set(orderId, status)
        }
      }
      return statuses
    },
  }
}

export interface PlaybackSnapshotParts {
  readonly timeline: RecordingTimeline
  readonly reader: ExchangeReader
  readonly results: PlaybackResults
  readonly search: FilterSearch
  readonly statuses: OrderStatuses
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
  const until = Math.min(Math.max(at, (view.looked ?? -1) + 1), timeline.count)
  const list = await placesOf(parts, view)
  const [rows, orders, lane, pair] = await Promise.all([
    rowsAt(parts, list.places),
    ordersAt(parts, view, until),
    laneOf(parts, view, until),
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

async function placesOf(parts: PlaybackSnapshotParts, view: PlaybackView): Promise<Listed> {
  const { timeline, search } = parts
  const { filter = '', rows } = view
  const around = rows?.around ?? 0
  if (filter.trim() === '') {
    search.stop()
    const all = { count: timeline.count, at: (index: number) => index }
    return { places: await placesAround(parts, view, all, around), passing: timeline.count }
  }
  const found = search.resultsFor(filter)
  if (!found.ok) return { places: [], passing: 0, problem: found.error }
  const { places, tried, done } = found.value
  const index = firstPlaceWhere(places.length, (each) => (places[each] ?? 0) >= around)
  const fitting = { count: places.length, at: (each: number) => places[each] ?? 0 }
  return {
    places: await placesAround(parts, view, fitting, index),
    passing: places.length,
    ...(done ? {} : { tried }),
  }
}

/** A list of places by index. */
interface PlaceList {
  readonly count: number
  readonly at: (index: number) => number
}

/** Maximum number of polls that are read to find out whether they brought events; beyond it they are shown. */
const maxPollsRead = 300

/** So many places before an index and from it on; without idle polls when they are to be left out. */
async function placesAround(
  { timeline, reader }: PlaybackSnapshotParts,
  { rows }: PlaybackView,
  { count, at }: PlaceList,
  index: number,
): Promise<readonly number[]> {
  const limit = clamp(rows?.limit ?? 0, maxRows)
  let pollsRead = 0
  /** A promise only where the exchange has to be read: most rows tell by themselves. */
  const isIdle = (place: number): boolean | Promise<boolean> => {
    if (rows?.idle !== false) return false
    const { operation, status } = timeline.row(place)
    if (status < 200 || status >= 300 || !isPollCall({ operation })) return false
    if (status === 204) return true
    return pollsRead++ < maxPollsRead && reader.read(place).then(isIdlePoll)
  }
  const walk = async (from: number, step: 1 | -1): Promise<readonly number[]> => {
    const places: number[] = []
    for (let each = from; each >= 0 && each < count && places.length < limit; each += step) {
      const idle = isIdle(at(each))
      if (idle === false || (idle !== true && !(await idle))) places.push(at(each))
    }
    return places
  }
  return [...(await walk(index - 1, -1)).toReversed(), ...(await walk(index, 1))]
}

async function rowsAt(
  { reader, rowOf }: PlaybackSnapshotParts,
  places: readonly number[],
): Promise<readonly PlaybackViewRow[]> {
  const read = await reader.readMany(places)
  return read.map((recorded, index) => rowOf(recorded, places[index] ?? 0))
}

async function ordersAt(
  { timeline, reader, statuses }: PlaybackSnapshotParts,
  { orders, lane }: PlaybackView,
  until: number,
): Promise<Pick<PlaybackSnapshot, 'orders' | 'orderCount' | 'orderPlace'>> {
  if (!orders) return { orders: [], orderCount: 0 }
  const limit = clamp(orders.limit, maxOrders)
  const offset = clamp(orders.offset ?? 0, timeline.count)
  // One more than shown, to know whether the list continues.
  const all = lastPlacesOfOrders(timeline, until, offset + limit + 1)
  const places = all.slice(offset, offset + limit)
  const read = await reader.readMany(places)
  const wanted = new Map<number, string>()
  for (const [index, { orderId }] of read.entries()) {
    const { entity } = timeline.row(places[index] ?? 0)
    if (entity !== undefined && orderId !== undefined) wanted.set(entity, orderId)
  }
  const known = await statuses.before(until, wanted)
  const orderPlace = lane && (await orderPlaceOf(lane.orderId, { timeline, reader }, all, until))
  return {
    orderCount: all.length,
    ...compact({ orderPlace }),
    orders: read.flatMap((recorded, index) =>
      recorded.orderId === undefined
        ? []
        : [
            {
              orderId: recorded.orderId,
              ...compact({ status: known.get(recorded.orderId) }),
              text: exchangeText(recorded),
              at: recorded.startedAt,
              place: places[index] ?? 0,
            },
          ],
    ),
  }
}

/** Place of an order in the list of orders, which is known by their last places. */
async function orderPlaceOf(
  orderId: string,
  { timeline, reader }: Pick<PlaybackSnapshotParts, 'timeline' | 'reader'>,
  all: readonly number[],
  until: number,
): Promise<number | undefined> {
  const about = await reader.about(orderId)
  const last = about[firstPlaceWhere(about.length, (index) => (about[index] ?? 0) >= until) - 1]
  if (last === undefined) return undefined
  const index = all.indexOf(last)
  if (index >= 0) return index
  const further = lastPlacesOfOrders(timeline, until, timeline.count).indexOf(last)
  return further < 0 ? undefined : further
}

async function laneOf(
  parts: PlaybackSnapshotParts,
  { lane }: PlaybackView,
  end: number,
): Promise<readonly PlaybackViewRow[]> {
  if (!lane) return []
  const about = await parts.reader.about(lane.orderId)
  const until = firstPlaceWhere(about.length, (index) => (about[index] ?? 0) >= end)
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
