/** Reads exchanges of a recording on demand, with a bounded cache. */
import { setBounded } from '../../engine/bounded.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingTimeline } from './timeline.ts'

/** Cached exchanges: a screen or two. */
const maxCached = 400

export interface ExchangeReader {
  readonly read: (place: number) => Promise<RecordedExchange>
  readonly readMany: (places: readonly number[]) => Promise<readonly RecordedExchange[]>
  /** Places of the exchanges about an order; cached for the last order requested. */
  readonly about: (orderId: string) => Promise<ArrayLike<number>>
  /** Empties the cache: places have moved, or there are more. */
  readonly forget: () => void
}

export function createExchangeReader(timeline: RecordingTimeline): ExchangeReader {
  const cache = new Map<number, Promise<RecordedExchange>>()
  function one(place: number): Promise<RecordedExchange> {
    const before = cache.get(place)
    if (before) return before
    const read = timeline.at(place)
    setBounded(cache, place, read, maxCached)
    // Do not cache a failed read: a later one may succeed.
    read.catch(() => cache.delete(place))
    return read
  }

  let last: { readonly orderId: string; readonly places: Promise<ArrayLike<number>> } | undefined
  return {
    read: one,
    readMany: (places) => Promise.all(places.map(one)),
    about(orderId) {
      if (last?.orderId !== orderId) last = { orderId, places: timeline.about(orderId) }
      return last.places
    },
    forget() {
      cache.clear()
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
  const seen = new Set<number>()
  const places: number[] = []
  const end = Math.max(0, at - maxScanned)
  for (
    let place = Math.min(at, timeline.count) - 1;
    place >= end && places.length < wanted;
    place--
  ) {
    const { entity } = timeline.row(place)
    if (entity === undefined || seen.has(entity)) continue
    seen.add(entity)
    places.push(place)
  }
  return places
}
