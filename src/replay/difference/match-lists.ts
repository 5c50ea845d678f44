/**
 * Matches the members of two lists: by a key field first, so that one removed item does not change all items after
 * it; without a key by content; else by position.
 */
import { scalarTextOf } from '../../core/traffic/json/lossless-json.ts'
import { align, type AlignedPair } from './align.ts'
import {
  canonicalJson,
  isJsonObject,
  isList,
  isSameJson,
} from '../../core/traffic/recording/json.ts'
import { appendTo } from '../../core/traffic/append-to.ts'

/** Fields that usually identify a list member, most common first. */
const defaultKeys = ['id', 'code', 'externalCode', 'eventId'] as const

/** Lists without a key of this length or more are matched by position. */
export const maxAlignedLength = 2000
/** Maximum number of unmatched members compared by similarity. */
const maxSimilarityCandidates = 60

export interface MatchedList {
  readonly pairs: readonly AlignedPair[]
  /** Matched by: `id` or another field, `content`, `position`. */
  readonly by: string
}

export interface ListMatchOptions {
  /** The field that identifies members, where a rule gives one. */
  readonly key?: string
  /** The order of the list has no meaning. */
  readonly isUnordered: boolean
}

type KeyValue = string | undefined

/** The key value of each member; repeated values get a counter. Undefined when a member has no such field. */
function keyValuesOf(list: readonly unknown[], key: string): readonly KeyValue[] | undefined {
  const counts = new Map<string, number>()
  const names: string[] = []
  for (const member of list) {
    const value = isJsonObject(member) ? member[key] : undefined
    const name = scalarTextOf(value)
    if (name === undefined || name === '') return undefined
    const times = counts.get(name) ?? 0
    counts.set(name, times + 1)
    names.push(times === 0 ? name : `${name}\u0000${times}`)
  }
  return names
}

interface KeyValues {
  readonly left: readonly KeyValue[]
  readonly right: readonly KeyValue[]
}

function countCommonKeys({ left, right }: KeyValues): number {
  const there = new Set(right)
  return left.filter((name) => there.has(name)).length
}

/** The key values of both lists; undefined unless every member has the field. */
function keyValuesOfBoth(
  left: readonly unknown[],
  right: readonly unknown[],
  key: string,
): KeyValues | undefined {
  const names = keyValuesOf(left, key)
  const others = names && keyValuesOf(right, key)
  return names && others ? { left: names, right: others } : undefined
}

/** Minimum similarity (0 to 1) for a match of members with different keys. */
const minSimilarity = 0.6

/**
 * Pairs members with equal keys. Of the rest, similar members are paired too: a changed key, instead of one removed
 * and one added member.
 */
function pairByKey(
  left: readonly unknown[],
  right: readonly unknown[],
  names: KeyValues,
): readonly AlignedPair[] {
  const at = new Map(names.right.map((name, index) => [name, index]))
  const used = new Set<number>()
  const pairs: AlignedPair[] = []
  const gone: number[] = []
  names.left.forEach((name, index) => {
    const other = at.get(name)
    if (other === undefined) gone.push(index)
    else {
      used.add(other)
      pairs.push({ left: index, right: other })
    }
  })
  const come = names.right.map((_, index) => index).filter((index) => !used.has(index))
  const rest =
    gone.length > maxSimilarityCandidates || come.length > maxSimilarityCandidates
      ? []
      : align({
          left: gone.length,
          right: come.length,
          score(row, column) {
            const score = similarity(left[gone[row] ?? 0], right[come[column] ?? 0])
            return score >= minSimilarity ? score : 0
          },
          best: 2,
        })
  for (const each of rest)
    if (each.left !== undefined && each.right !== undefined) {
      const pair = { left: gone[each.left] ?? 0, right: come[each.right] ?? 0 }
      pairs.push(pair)
      gone[each.left] = -1
      come[each.right] = -1
    }
  const byRecorded = pairs.toSorted((a, b) => (a.left ?? 0) - (b.left ?? 0))
  const alone = [
    ...gone.filter((index) => index >= 0).map((index) => ({ left: index })),
    ...come.filter((index) => index >= 0).map((index) => ({ right: index })),
  ]
  return [...byRecorded, ...alone]
}

const contentOf = (list: readonly unknown[]): readonly string[] =>
  list.map((member) => canonicalJson(member))

/** Similarity of two members, from 0 to 1: the share of equal fields. */
function similarity(left: unknown, right: unknown): number {
  if (!isJsonObject(left) || !isJsonObject(right)) {
    if (isList(left) && isList(right)) return 0.5
    return typeof left === typeof right ? 0.2 : 0
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  if (keys.size === 0) return 1
  let same = 0
  for (const key of keys) if (canonicalJson(left[key]) === canonicalJson(right[key])) same++
  return same / keys.size
}

/**
 * Pairs the unmatched members between two matched ones: as many changed members as possible, the rest missing or
 * extra.
 */
function fillGap(
  left: readonly unknown[],
  right: readonly unknown[],
  gap: { readonly left: readonly number[]; readonly right: readonly number[] },
): readonly AlignedPair[] {
  const rows = gap.left.length
  const columns = gap.right.length
  const equal =
    rows === columns || rows > maxSimilarityCandidates || columns > maxSimilarityCandidates
  const aligned = align({
    left: rows,
    right: columns,
    // Equally many on both sides: paired by position, however little they have in common.
    score: equal
      ? (row, column) => (row === column ? 1 : 0)
      : (row, column) => similarity(left[gap.left[row] ?? 0], right[gap.right[column] ?? 0]),
    best: equal ? 1 : 2,
  })
  return aligned.map((each) => ({
    ...(each.left === undefined ? {} : { left: gap.left[each.left] ?? 0 }),
    ...(each.right === undefined ? {} : { right: gap.right[each.right] ?? 0 }),
  }))
}

function pairByContent(
  left: readonly unknown[],
  right: readonly unknown[],
): readonly AlignedPair[] {
  // Fast path: most lists are equal, and the check is cheaper than canonical texts.
  if (isSameJson(left, right)) return left.map((_, index) => ({ left: index, right: index }))
  const names = { left: contentOf(left), right: contentOf(right) }
  const aligned = align({
    left: left.length,
    right: right.length,
    score: (row, column) => (names.left[row] === names.right[column] ? 1 : 0),
    best: 1,
  })
  const moved = findMoved(names, aligned)
  const pairs: AlignedPair[] = [...moved]
  const gone = new Set(moved.map(({ left: from }) => from))
  const come = new Set(moved.map(({ right: to }) => to))
  let gap: { left: number[]; right: number[] } = { left: [], right: [] }
  const close = (): void => {
    if (gap.left.length > 0 && gap.right.length > 0) pairs.push(...fillGap(left, right, gap))
    else
      pairs.push(
        ...gap.left.map((each) => ({ left: each })),
        ...gap.right.map((each) => ({ right: each })),
      )
    gap = { left: [], right: [] }
  }
  for (const each of aligned) {
    if (each.left !== undefined && each.right !== undefined) {
      close()
      pairs.push(each)
    } else if (each.left !== undefined) {
      if (!gone.has(each.left)) gap.left.push(each.left)
    } else if (each.right !== undefined && !come.has(each.right)) gap.right.push(each.right)
  }
  close()
  return pairs.toSorted((a, b) => (a.left ?? left.length) - (b.left ?? left.length))
}

/** Members that moved unchanged to another position. */
function findMoved(
  { left, right }: { readonly left: readonly string[]; readonly right: readonly string[] },
  aligned: readonly AlignedPair[],
): readonly { readonly left: number; readonly right: number }[] {
  const places = new Map<string, number[]>()
  for (const { left: from, right: to } of aligned)
    if (from === undefined && to !== undefined) {
      const content = right[to] ?? ''
      places.set(content, [...(places.get(content) ?? []), to])
    }
  return aligned.flatMap(({ left: from, right: to }) => {
    if (from === undefined || to !== undefined) return []
    const other = places.get(left[from] ?? '')?.shift()
    return other === undefined ? [] : [{ left: from, right: other }]
  })
}

/** Pairs members with equal content at any position, the rest in order. */
function pairAsSet(left: readonly unknown[], right: readonly unknown[]): readonly AlignedPair[] {
  const places = new Map<string, number[]>()
  contentOf(right).forEach((content, index) => {
    appendTo(places, content, index)
  })
  const used = new Set<number>()
  const pairs: AlignedPair[] = []
  const rest: number[] = []
  contentOf(left).forEach((content, index) => {
    const other = places.get(content)?.shift()
    if (other === undefined) rest.push(index)
    else {
      used.add(other)
      pairs.push({ left: index, right: other })
    }
  })
  const others = right.map((_, index) => index).filter((index) => !used.has(index))
  return [...pairs, ...fillGap(left, right, { left: rest, right: others })]
}

export function matchLists(
  left: readonly unknown[],
  right: readonly unknown[],
  { key, isUnordered: free }: ListMatchOptions,
): MatchedList {
  if (left.length === 0 || right.length === 0)
    return {
      pairs: [
        ...left.map((_, index) => ({ left: index })),
        ...right.map((_, index) => ({ right: index })),
      ],
      by: 'position',
    }
  for (const name of key === undefined ? defaultKeys : [key, ...defaultKeys]) {
    const named = keyValuesOfBoth(left, right, name)
    // At least half of the shorter list: a key with mostly new values does not identify the rest.
    if (named && countCommonKeys(named) * 2 >= Math.min(left.length, right.length))
      return { pairs: pairByKey(left, right, named), by: name }
  }
  const long = left.length >= maxAlignedLength || right.length >= maxAlignedLength
  if (free) return { pairs: pairAsSet(left, right), by: 'content' }
  if (!long) return { pairs: pairByContent(left, right), by: 'content' }
  const maxLength = Math.max(left.length, right.length)
  return {
    pairs: Array.from({ length: maxLength }, (_, index) => ({
      ...(index < left.length ? { left: index } : {}),
      ...(index < right.length ? { right: index } : {}),
    })),
    by: 'position',
  }
}

/** Whether the paired members have another order. */
export function isReordered(pairs: readonly AlignedPair[]): boolean {
  let last = -1
  for (const { left, right } of pairs) {
    if (left === undefined || right === undefined) continue
    if (right < last) return true
    last = right
  }
  return false
}
