/** Reads exchanges of a recording on demand, with a bounded cache. */
import { createSizedMap, type SizedMap } from '../../../core/engine/bounded.ts'
import { largeChars } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingTimeline } from './timeline.ts'

/** Maximum number of cached exchanges, a screen or two, and of their characters. */
const maxCached = 400
const maxCachedChars = 16_000_000

export type ExchangeReader = ReturnType<typeof createExchangeReader>

interface CachedReading {
  readonly reading: Promise<RecordedExchange>
  /** 0 until it is read. */
  readonly chars: number
}

const emptyCache = (): SizedMap<number, CachedReading> =>
  createSizedMap({
    maxEntries: maxCached,
    maxSize: maxCachedChars,
    sizeOf: ({ chars }) => chars,
  })

export function createExchangeReader(timeline: RecordingTimeline) {
  let cache = emptyCache()

  function one(place: number): Promise<RecordedExchange> {
    const before = cache.get(place)
    if (before) return before.reading
    const into = cache
    const reading = timeline.at(place)
    into.set(place, { reading, chars: 0 })
    reading.then(
      (exchange) => into.set(place, { reading, chars: largeChars(exchange) }),
      // A failed read is not cached: a later one may succeed.
      () => into.delete(place),
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
      cache = emptyCache()
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
