/** Positions of items on the agenda: due instant, and rank among items of the same instant. */
import type { Instant } from '../instant.ts'
import type { Item } from './item.ts'

export type Place = Pick<Item, 'id' | 'due' | 'rank'>

/** Comparator of the agenda: due instant, rank, id. */
export const inOrder = (a: Place, b: Place): number =>
  a.due - b.due || a.rank - b.rank || a.id - b.id

/** Smallest rank step; no other rank lies between. */
const rankStep = 2 ** -20

/**
 * Makes positions strictly ascending in this order. Copies may share a position; a later one gets a rank of its own.
 */
export function inTurn(places: readonly Place[]): readonly Place[] {
  let last: Place | undefined
  return places.map((place) => {
    const isLater = !last || inOrder(last, place) < 0
    last = isLater ? place : { ...place, rank: (last?.rank ?? place.rank) + rankStep }
    return last
  })
}

/**
 * New ranks of overdue items, by id; only of those whose rank changes. All come due now, which loses their order by due
 * instant, so their ranks are redistributed to keep it.
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

/** Moves items that are due in the past to now. A held one keeps its instant. */
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
