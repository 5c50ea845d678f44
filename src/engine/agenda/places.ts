/** The places of items on the agenda: when each is due, and its rank among those of the same instant. */
import type { Instant } from '../instant.ts'
import type { Item } from './item.ts'

export type Place = Pick<Item, 'id' | 'due' | 'rank'>

/** The order of the agenda. */
export const inOrder = (a: Place, b: Place): number =>
  a.due - b.due || a.rank - b.rank || a.id - b.id

/** So little that nothing else lies between. */
const hair = 2 ** -20

/** Places for items that are to come in this order. Copies may share a place; one that must come later gets its own. */
export function inTurn(places: readonly Place[]): readonly Place[] {
  let last: Place | undefined
  return places.map((place) => {
    const isLater = !last || inOrder(last, place) < 0
    last = isLater ? place : { ...place, rank: (last?.rank ?? place.rank) + hair }
    return last
  })
}

/**
 * The ranks of items that are late, by id; only of those that need another one than they have. They come due at one
 * instant, which is now, and what kept them in order is lost; so they share out their ranks, and go on as they would have.
 */
export function ranksOfLate(items: readonly Item[], now: Instant): ReadonlyMap<number, number> {
  const late = items.filter(({ due }) => due <= now).toSorted(inOrder)
  const ranks = late.map(({ rank }) => rank).toSorted((a, b) => a - b)
  const places = inTurn(
    late.map(({ id, rank }, index) => ({ id, due: now, rank: ranks[index] ?? rank })),
  )
  return new Map(
    places.flatMap(({ id, rank }, index) => (rank === late[index]?.rank ? [] : [[id, rank]])),
  )
}

/** The same items, none of them due earlier than now. A held one keeps the instant that it had. */
export function notBefore(items: readonly Item[], now: Instant): readonly Item[] {
  const ranks = ranksOfLate(
    items.filter(({ held }) => !held),
    now,
  )
  return items.map((item) => {
    const rank = ranks.get(item.id)
    if (item.held || (item.due >= now && rank === undefined)) return item
    return { ...item, due: now, rank: rank ?? item.rank }
  })
}
