/** Positions of items on the agenda: due instant, and rank among items of the same instant. */
import type { Instant } from '../instant.ts'
import type { AgendaItem } from './item.ts'

export type AgendaPosition = Pick<AgendaItem, 'id' | 'due' | 'rank'>

/** Comparator of the agenda: due instant, rank, id. */
export const comparePositions = (a: AgendaPosition, b: AgendaPosition): number =>
  a.due - b.due || a.rank - b.rank || a.id - b.id

/** Smallest rank step; no other rank lies between. */
const rankStep = 2 ** -20

/**
 * Makes positions strictly ascending in this order. Copies may share a position; a later one gets a rank of its own.
 */
export function distinctPositions(places: readonly AgendaPosition[]): readonly AgendaPosition[] {
  let last: AgendaPosition | undefined
  return places.map((place) => {
    const isLater = !last || comparePositions(last, place) < 0
    last = isLater ? place : { ...place, rank: (last?.rank ?? place.rank) + rankStep }
    return last
  })
}

/**
 * New ranks of overdue items, by id; only of those whose rank changes. All come due now, which loses their order by due
 * instant, so their ranks are redistributed to keep it.
 */
export function ranksOfOverdue(
  items: readonly AgendaItem[],
  now: Instant,
): ReadonlyMap<number, number> {
  const late = items.filter(({ due }) => due <= now).toSorted(comparePositions)
  const ranks = late.map(({ rank }) => rank).toSorted((a, b) => a - b)
  const places = distinctPositions(
    late.map(({ id, rank }, index) => ({ id, due: now, rank: ranks[index] ?? rank })),
  )
  return new Map(
    places.flatMap(({ id, rank }, index) => (rank === late[index]?.rank ? [] : [[id, rank]])),
  )
}

/** Moves items that are due in the past to now. A held one keeps its instant. */
export function notBefore(items: readonly AgendaItem[], now: Instant): readonly AgendaItem[] {
  const ranks = ranksOfOverdue(
    items.filter(({ held }) => !held),
    now,
  )
  return items.map((item) => {
    const rank = ranks.get(item.id)
    if (item.held || (item.due >= now && rank === undefined)) return item
    return { ...item, due: now, rank: rank ?? item.rank }
  })
}
