/**
 * Aligns a live document with a recorded one. Objects are aligned by key; list members by their identifying keys, since
 * list order is not guaranteed, and by position where no key tells.
 */
import { pointerKeys } from '../../../core/traffic/json/json-pointer.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { isList } from '../../../core/traffic/recording/json.ts'

export interface AlignedValue {
  readonly value: unknown
  /** Found by keys all the way, not by the position in a list. */
  readonly sure: boolean
}

export interface ExpectedNames {
  /** The expected live value of a recorded one; undefined for an identifier whose new value is not known yet. */
  readonly expected: (recorded: string) => string | undefined
  /** Whether a live value is already bound to some recorded identifier. */
  readonly isTaken: (live: string) => boolean
}

/** Keys that identify a list member: `identifyingKeys` are unique, `descriptiveKeys` only tell it from most others. */
const identifyingKeys = [
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
const descriptiveKeys = [
  'code',
  'externalCode',
  'sku',
  'name',
  'eventType',
  'type',
  'status',
] as const
const strongScore = 8
/** Lists with more pairs are aligned by position only. */
const maxPairs = 250_000

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/** Score of two values, 0 to 1; undefined when they cannot be the same. */
function matchScore(recorded: string, live: string, names: ExpectedNames): number | undefined {
  const expected = names.expected(recorded)
  if (expected === undefined) return names.isTaken(live) ? undefined : 0
  return expected === live ? 1 : undefined
}

function score(recorded: unknown, live: unknown, names: ExpectedNames): number | undefined {
  const text = textOf(recorded)
  const other = textOf(live)
  if (text !== undefined && other !== undefined) {
    const fit = matchScore(text, other, names)
    return fit === undefined ? undefined : fit * strongScore
  }
  const inside = unwrapped(recorded, live)
  if (!inside) return isList(recorded) === isList(live) ? 0 : undefined
  const [from, to] = inside
  let sum = 0
  for (const key of identifyingKeys) {
    const before = textOf(from[key])
    const now = textOf(to[key])
    if (before === undefined || now === undefined) continue
    const fit = matchScore(before, now, names)
    if (fit === undefined) return undefined
    sum += fit * strongScore
  }
  for (const key of descriptiveKeys) {
    const before = textOf(from[key])
    const now = textOf(to[key])
    if (before !== undefined && before === now) sum++
  }
  return sum
}

/** Both values as objects, unwrapped where each is an envelope with a single object member. */
function unwrapped(
  recorded: unknown,
  live: unknown,
): readonly [UnknownRecord, UnknownRecord] | undefined {
  if (!isUnknownRecord(recorded) || !isUnknownRecord(live)) return undefined
  const [only, ...others] = Object.keys(recorded)
  const inner = only === undefined ? undefined : recorded[only]
  const innerLive = only === undefined ? undefined : live[only]
  return others.length === 0 && isUnknownRecord(inner) && isUnknownRecord(innerLive)
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
  names: ExpectedNames,
): ReadonlyMap<number, Pair> {
  const pairs = new Map<number, Pair>()
  const taken = new Set<number>()
  const incompatible = new Set<number>()
  const compares = recorded.length * live.length <= maxPairs
  if (compares) {
    const scored = recorded.flatMap((from, index) =>
      live.flatMap((to, place) => {
        const points = score(from, to, names)
        if (points === undefined) incompatible.add(index * live.length + place)
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
    if (!incompatible.has(index * live.length + next)) pairs.set(index, { to: next, sure: false })
    next++
  }
  return pairs
}

/** Aligns two documents; answers the live value for a JSON Pointer into the recorded one. */
export function alignDocuments(
  recorded: unknown,
  live: unknown,
  names: ExpectedNames,
): (pointer: string) => AlignedValue | undefined {
  const known = new Map<readonly unknown[], ReadonlyMap<number, Pair>>()

  return (pointer) => {
    let from = recorded
    let to = live
    let sure = true
    for (const key of pointerKeys(pointer)) {
      if (isList(from) && isList(to)) {
        let pairs = known.get(from)
        if (!pairs) known.set(from, (pairs = alignLists(from, to, names)))
        const pair = pairs.get(Number(key))
        if (!pair) return undefined
        sure &&= pair.sure
        from = from[Number(key)]
        to = to[pair.to]
      } else if (isUnknownRecord(from) && isUnknownRecord(to) && Object.hasOwn(to, key)) {
        from = from[key]
        to = to[key]
      } else return undefined
    }
    return { value: to, sure }
  }
}
