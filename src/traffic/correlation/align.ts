/**
 * Which value of a live document stands in the place of a recorded one. Objects by their keys; lists by what their
 * members are known by, since the order of a list is nobody's promise, and by position where nothing tells.
 */
import { keysIn } from '../json/json-pointer.ts'

export interface Aligned {
  readonly value: unknown
  /** It was found by keys all the way, and not by the position in some list. */
  readonly sure: boolean
}

export interface Names {
  /** What a recorded text must read now; undefined when it names something whose new name is not known yet. */
  readonly expected: (recorded: string) => string | undefined
  /** A live text that is the new name of something is not free to be that of something else. */
  readonly isTaken: (live: string) => boolean
}

type Shape = Readonly<Record<string, unknown>>

const isShape = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** What members of lists are known by: first what is theirs alone, then what only tells them apart from most. */
const strong = [
  'id',
  'eventId',
  'itemId',
  'paymentId',
  'documentId',
  'orderId',
  'accountId',
  'customerId',
  'deliveryId',
] as const
const weak = ['code', 'externalCode', 'sku', 'name', 'eventType', 'type', 'status'] as const
const strongScore = 8
/** More pairs than this are not compared: such lists go by position. */
const mostPairs = 250_000

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** How well two texts fit; undefined when they cannot be the same. */
function fitting(recorded: string, live: string, names: Names): number | undefined {
  const expected = names.expected(recorded)
  if (expected === undefined) return names.isTaken(live) ? undefined : 0
  return expected === live ? 1 : undefined
}

function score(recorded: unknown, live: unknown, names: Names): number | undefined {
  const text = textOf(recorded)
  const other = textOf(live)
  if (text !== undefined && other !== undefined) {
    const fit = fitting(text, other, names)
    return fit === undefined ? undefined : fit * strongScore
  }
  const inside = embedded(recorded, live)
  if (!inside) return isList(recorded) === isList(live) ? 0 : undefined
  const [from, to] = inside
  let sum = 0
  for (const key of strong) {
    const before = textOf(from[key])
    const now = textOf(to[key])
    if (before === undefined || now === undefined) continue
    const fit = fitting(before, now, names)
    if (fit === undefined) return undefined
    sum += fit * strongScore
  }
  for (const key of weak) {
    const before = textOf(from[key])
    const now = textOf(to[key])
    if (before !== undefined && before === now) sum++
  }
  return sum
}

/** Both as objects; a member may be an envelope around one. */
function embedded(recorded: unknown, live: unknown): readonly [Shape, Shape] | undefined {
  if (!isShape(recorded) || !isShape(live)) return undefined
  const [only, ...others] = Object.keys(recorded)
  const inner = only === undefined ? undefined : recorded[only]
  const innerLive = only === undefined ? undefined : live[only]
  return others.length === 0 && isShape(inner) && isShape(innerLive)
    ? [inner, innerLive]
    : [recorded, live]
}

interface Pair {
  readonly to: number
  readonly sure: boolean
}

function alignLists(
  recorded: readonly unknown[],
  live: readonly unknown[],
  names: Names,
): ReadonlyMap<number, Pair> {
  const pairs = new Map<number, Pair>()
  const taken = new Set<number>()
  const barred = new Set<number>()
  const compares = recorded.length * live.length <= mostPairs
  if (compares) {
    const scored = recorded.flatMap((from, index) =>
      live.flatMap((to, place) => {
        const points = score(from, to, names)
        if (points === undefined) barred.add(index * live.length + place)
        return points ? [{ index, place, points }] : []
      }),
    )
    scored.sort(
      (a, b) => b.points - a.points || Math.abs(a.index - a.place) - Math.abs(b.index - b.place),
    )
    for (const { index, place, points } of scored) {
      if (pairs.has(index) || taken.has(place)) continue
      pairs.set(index, { to: place, sure: points >= strongScore })
      taken.add(place)
    }
  }
  let next = 0
  for (const index of recorded.keys()) {
    if (pairs.has(index)) continue
    while (next < live.length && taken.has(next)) next++
    if (next >= live.length) break
    if (!barred.has(index * live.length + next)) pairs.set(index, { to: next, sure: false })
    next++
  }
  return pairs
}

/** How two documents lie on each other; answers for JSON Pointers into the recorded one. */
export function alignDocuments(
  recorded: unknown,
  live: unknown,
  names: Names,
): (pointer: string) => Aligned | undefined {
  const known = new Map<readonly unknown[], ReadonlyMap<number, Pair>>()

  return (pointer) => {
    let from = recorded
    let to = live
    let sure = true
    for (const key of keysIn(pointer)) {
      if (isList(from) && isList(to)) {
        let pairs = known.get(from)
        if (!pairs) known.set(from, (pairs = alignLists(from, to, names)))
        const pair = pairs.get(Number(key))
        if (!pair) return undefined
        sure &&= pair.sure
        from = from[Number(key)]
        to = to[pair.to]
      } else if (isShape(from) && isShape(to) && Object.hasOwn(to, key)) {
        from = from[key]
        to = to[key]
      } else return undefined
    }
    return { value: to, sure }
  }
}
