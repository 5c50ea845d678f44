/** Reads the exchanges of a recording that are on the screen, and keeps the last few: nothing else of it is ever read. */
import { setBounded } from '../../engine/bounded.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { Tape } from './timeline.ts'

/** A screen or two. */
const mostKept = 400

export interface Reading {
  readonly one: (place: number) => Promise<RecordedExchange>
  readonly many: (places: readonly number[]) => Promise<readonly RecordedExchange[]>
  /** The places that are about an order; of the one that was last asked for they are known. */
  readonly about: (orderId: string) => Promise<ArrayLike<number>>
}

export function createReading(tape: Tape): Reading {
  const kept = new Map<number, Promise<RecordedExchange>>()
  function one(place: number): Promise<RecordedExchange> {
    const before = kept.get(place)
    if (before) return before
    const read = tape.at(place)
    setBounded(kept, place, read, mostKept)
    // What could not be read now may be there the next time.
    read.catch(() => kept.delete(place))
    return read
  }

  let last: { readonly orderId: string; readonly places: Promise<ArrayLike<number>> } | undefined
  return {
    one,
    many: (places) => Promise.all(places.map(one)),
    about(orderId) {
      if (last?.orderId !== orderId) last = { orderId, places: tape.about(orderId) }
      return last.places
    },
  }
}

/** Rows that are gone through for the orders that were last spoken of. */
const mostGoneThrough = 20_000

/** The last place about each order before `at`, the last order first. */
export function lastOfOrders(tape: Tape, at: number, wanted: number): readonly number[] {
  const seen = new Set<number>()
  const places: number[] = []
  const end = Math.max(0, at - mostGoneThrough)
  for (let place = Math.min(at, tape.count) - 1; place >= end && places.length < wanted; place--) {
    const { entity } = tape.row(place)
    if (entity === undefined || seen.has(entity)) continue
    seen.add(entity)
    places.push(place)
  }
  return places
}
