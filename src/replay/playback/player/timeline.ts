/**
 * Access to the exchanges of a recording by place, from memory or through an index of file offsets, with a bounded
 * cache.
 */
import type { IndexedRow, RecordingIndex } from '../../../core/runtime/recording/recording-index.ts'
import { largeChars, wallDurationMs } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { shownFailures } from '../../../core/traffic/recording/session-end.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { SeekTarget } from '../../../core/session-api/playback.ts'
import { deleteSized, setSized } from '../../../core/engine/bounded.ts'

/** Maximum number of cached exchanges, a screen or two, and of their characters. */
const maxCached = 400
const maxCachedChars = 16_000_000

export type ExchangeReader = ReturnType<typeof createExchangeReader>

interface CachedReading {
  readonly reading: Promise<RecordedExchange>
  /** 0 until it is read. */
  readonly chars: number
}

const limits = {
  maxEntries: maxCached,
  maxSize: maxCachedChars,
  sizeOf: ({ chars }: CachedReading): number => chars,
}

/** Reads exchanges of a recording on demand, with a bounded cache. */
export function createExchangeReader(timeline: RecordingTimeline) {
  let cache = new Map<number, CachedReading>()

  function one(place: number): Promise<RecordedExchange> {
    const before = cache.get(place)
    if (before) return before.reading
    const into = cache
    const reading = timeline.at(place)
    setSized(into, [place, { reading, chars: 0 }], limits)
    reading.then(
      (exchange) => setSized(into, [place, { reading, chars: largeChars(exchange) }], limits),
      // A failed read is not cached: a later one may succeed.
      () => deleteSized(into, place, limits),
    )
    return reading
  }

  let last: { readonly orderId: string; readonly places: Promise<ArrayLike<number>> } | undefined
  return {
    read: one,
    readMany: (places: readonly number[]): Promise<readonly RecordedExchange[]> =>
      Promise.all(places.map(one)),
    /** Places of the exchanges about an order; cached for the last order requested. */
    about(orderId: string): Promise<ArrayLike<number>> {
      if (last?.orderId !== orderId) last = { orderId, places: timeline.about(orderId) }
      return last.places
    },
    /** Empties the cache: places have moved, or there are more. */
    forget() {
      cache = new Map()
      last = undefined
    },
  }
}

/** Maximum number of rows scanned for the latest orders. */
const maxScanned = 20_000

/** The last place of each order before `at`, the latest order first. */
export function lastPlacesOfOrders(
  timeline: RecordingTimeline,
  at: number,
  wanted: number,
): readonly number[] {
  const visited = new Set<number>()
  const places: number[] = []
  const end = Math.max(0, at - maxScanned)
  for (
    let place = Math.min(at, timeline.count) - 1;
    place >= end && places.length < wanted;
    place--
  ) {
    const { entity } = timeline.row(place)
    if (entity === undefined || visited.has(entity)) continue
    visited.add(entity)
    places.push(place)
  }
  return places
}

/** Length of a slice. */
const sliceMs = 4

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Time slicing for long work: yields to the event loop, so that keys and sockets are served first. Called after every
 * step of the work: undefined while the slice lasts, else a promise to await.
 */
export function createTimeSlicer(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < sliceMs) return undefined
    return nextTurn().then(() => {
      began = performance.now()
    })
  }
}

/** Index data of an exchange, available without reading it. */
export type RecordingTimelineRow = Pick<
  IndexedRow,
  'seq' | 'startedAt' | 'tookMs' | 'status' | 'from' | 'to' | 'operation' | 'entity' | 'faulty'
>

export interface RecordingTimeline {
  readonly file: string
  readonly count: number
  readonly row: (place: number) => RecordingTimelineRow
  readonly at: (place: number) => Promise<RecordedExchange>
  /** The first place that began at this time (ms since 1970) or later; `count` when there is none. */
  readonly seek: (time: number) => number
  /** The place with this sequence number, or where it would be inserted. */
  readonly positionOf: (seq: number) => number
  /** The places of exchanges about this order. */
  readonly about: (orderId: string) => Promise<ArrayLike<number>>
  /** Bookmarks stored in the recording itself, by the number of their exchange. */
  readonly marks: readonly { readonly seq: number; readonly text: string }[]
  /** What the verdicts of its session have found, by the number of an exchange that shows it. */
  readonly failures: ReadonlyMap<number, string>
  /** Nothing is left to be indexed; before, more is added, and places may move. */
  readonly isWhole: boolean
  /** Indexes the rest. */
  readonly readOn: (onGrown: () => void) => Promise<unknown>
}

const marksOf = (failures: ReadonlyMap<number, string>): RecordingTimeline['marks'] =>
  Array.from(failures, ([seq, text]) => ({ seq, text }))

export const timelineOfIndex = (index: RecordingIndex): RecordingTimeline => ({
  file: index.file,
  get count() {
    return index.count
  },
  row: (place) => index.row(place),
  at: (place) => index.at(place),
  seek: (time) => index.seek(time),
  positionOf: index.positionOf,
  about: (order) => index.filter({ order }),
  get marks() {
    if (index.count === 0) return []
    // A bookmark line follows the exchange with its number.
    const last = index.count - 1
    const marks = index.marks.map(({ seq, text }) => ({
      seq: index.row(Math.min(index.positionOf(seq), last)).seq,
      text,
    }))
    const notes = Array.from(index.notes, ([seq, text]) => ({ seq, text }))
    return [...notes.filter(({ text }) => text !== ''), ...marks, ...marksOf(index.failures)]
  },
  failures: index.failures,
  get isWhole() {
    return index.isWhole
  },
  readOn: (onGrown) => index.refresh(onGrown),
})

/** Binary search: the first place for which `holds`; it must be false for all places before. */
export function firstPlaceWhere(count: number, holds: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

export function timelineOfContent({ file, exchanges, end }: RecordingContent): RecordingTimeline {
  const failures = new Map(shownFailures(end?.verdicts ?? []))
  const entities = new Map<string, number>()
  for (const { orderId } of exchanges)
    if (orderId !== undefined && !entities.has(orderId)) entities.set(orderId, entities.size)
  const exchangeAt = (place: number): RecordedExchange => {
    const exchange = exchanges[place]
    if (exchange) return exchange
    throw new RangeError(`there is no exchange ${place}: the recording has ${exchanges.length}`)
  }
  return {
    file,
    count: exchanges.length,
    row(place) {
      const exchange = exchangeAt(place)
      const { reply, orderId, fault, operation, ...rest } = exchange
      return {
        ...rest,
        tookMs: wallDurationMs(exchange),
        operation,
        status: reply?.status ?? 0,
        entity: orderId === undefined ? undefined : entities.get(orderId),
        faulty: fault !== undefined,
      }
    },
    at: (place) => Promise.resolve(exchangeAt(place)),
    seek: (time) =>
      firstPlaceWhere(exchanges.length, (place) => exchangeAt(place).startedAt >= time),
    positionOf: (seq) => firstPlaceWhere(exchanges.length, (place) => exchangeAt(place).seq >= seq),
    about: (order) =>
      Promise.resolve(
        exchanges.flatMap(({ orderId }, place) => (orderId === order ? [place] : [])),
      ),
    marks: marksOf(failures),
    failures,
    isWhole: true,
    readOn: () => Promise.resolve(),
  }
}

const dayMs = 86_400_000

const startOf = (timeline: RecordingTimeline): number =>
  timeline.count === 0 ? 0 : timeline.row(0).startedAt

/** The first instant with this UTC time of day that is not before the recording. */
const atTimeOfDay = (first: number, ms: number): number => {
  const time = Math.floor(first / dayMs) * dayMs + ms
  return time < first ? time + dayMs : time
}

/** Resolves a seek target (sequence number or time) to a place of a recording. */
export function resolveSeek(timeline: RecordingTimeline, to: SeekTarget): Result<number, string> {
  if (timeline.count === 0) return err('the recording is empty')
  if (to.kind === 'seq') {
    const place = timeline.positionOf(to.seq)
    const last = timeline.row(timeline.count - 1).seq
    return place < timeline.count
      ? ok(place)
      : err(`there is no exchange ${to.seq}: the last is ${last}`)
  }
  const first = startOf(timeline)
  const time =
    to.kind === 'time' ? to.at : to.kind === 'after' ? first + to.ms : atTimeOfDay(first, to.ms)
  const place = timeline.seek(time)
  return place < timeline.count ? ok(place) : err('the recording ends before that')
}
