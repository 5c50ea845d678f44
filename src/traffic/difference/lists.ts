/**
 * Which members of two lists are the same thing. By a key first, so that one item taken out is one item taken out and
 * not everything behind it changed; without a key by what they hold; at last by position.
 */
import { align, type Beside } from './align.ts'
import { canonical, isList, isObject, isSame } from './json.ts'

/** Fields that name a member of a list, the usual ones first. */
const usualKeys = ['id', 'code', 'externalCode', 'eventId'] as const

/** Longer lists without a key are compared by position. */
export const mostAligned = 2000
/** Members of a gap that are held against each other for likeness. */
const mostAlike = 60

export interface MatchedList {
  readonly pairs: readonly Beside[]
  /** By what they were matched: `id`, `content`, `position`. */
  readonly by: string
}

export interface ListWish {
  /** The field that names its members, where a rule says so. */
  readonly key?: string
  /** Its order means nothing. */
  readonly free: boolean
}

type Name = string | undefined

/** The name of each member by a field; a name that comes again is told apart by how often it came. */
function namesBy(list: readonly unknown[], key: string): readonly Name[] | undefined {
  const seen = new Map<string, number>()
  const names: string[] = []
  for (const member of list) {
    const value = isObject(member) ? member[key] : undefined
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return undefined
    const name = String(value)
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    names.push(times === 0 ? name : `${name}\u0000${times}`)
  }
  return names
}

interface Named {
  readonly left: readonly Name[]
  readonly right: readonly Name[]
}

function common({ left, right }: Named): number {
  const there = new Set(right)
  return left.filter((name) => there.has(name)).length
}

/** A key does when every member has it, and it is not that all names are others: then it names nothing lasting. */
function keyedBy(
  left: readonly unknown[],
  right: readonly unknown[],
  key: string,
): Named | undefined {
  const names = namesBy(left, key)
  const others = names && namesBy(right, key)
  return names && others ? { left: names, right: others } : undefined
}

/** A member that has another name and is otherwise so much the same is the same one. */
const alikeEnough = 0.6

/**
 * Members of one name beside each other. What is left on both sides may be one thing whose name changed: then that is
 * what is to be said, not that one went and another came.
 */
function byName(
  left: readonly unknown[],
  right: readonly unknown[],
  names: Named,
): readonly Beside[] {
  const at = new Map(names.right.map((name, index) => [name, index]))
  const used = new Set<number>()
  const pairs: Beside[] = []
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
    gone.length > mostAlike || come.length > mostAlike
      ? []
      : align({
          left: gone.length,
          right: come.length,
          fits(row, column) {
            const like = likeness(left[gone[row] ?? 0], right[come[column] ?? 0])
            return like >= alikeEnough ? like : 0
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
  list.map((member) => canonical(member))

/** How much of what two members hold is the same, from 0 to 1. */
function likeness(left: unknown, right: unknown): number {
  if (!isObject(left) || !isObject(right)) {
    if (isList(left) && isList(right)) return 0.5
    return typeof left === typeof right ? 0.2 : 0
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  if (keys.size === 0) return 1
  let same = 0
  for (const key of keys) if (canonical(left[key]) === canonical(right[key])) same++
  return same / keys.size
}

/** Between what is the same on both sides: as many changed as can be, and only the rest missing or extra. */
function fillGap(
  left: readonly unknown[],
  right: readonly unknown[],
  gap: { readonly left: readonly number[]; readonly right: readonly number[] },
): readonly Beside[] {
  const rows = gap.left.length
  const columns = gap.right.length
  const equal = rows === columns || rows > mostAlike || columns > mostAlike
  const beside = align({
    left: rows,
    right: columns,
    // As many on both sides: each was changed where it stands, however little is left of it.
    fits: equal
      ? (row, column) => (row === column ? 1 : 0)
      : (row, column) => likeness(left[gap.left[row] ?? 0], right[gap.right[column] ?? 0]),
    best: equal ? 1 : 2,
  })
  return beside.map((each) => ({
    ...(each.left === undefined ? {} : { left: gap.left[each.left] ?? 0 }),
    ...(each.right === undefined ? {} : { right: gap.right[each.right] ?? 0 }),
  }))
}

function byContent(left: readonly unknown[], right: readonly unknown[]): readonly Beside[] {
  // Mostly nothing changed, and to see that costs less than to write every member down.
  if (isSame(left, right)) return left.map((_, index) => ({ left: index, right: index }))
  const names = { left: contentOf(left), right: contentOf(right) }
  const beside = align({
    left: left.length,
    right: right.length,
    fits: (row, column) => (names.left[row] === names.right[column] ? 1 : 0),
    best: 1,
  })
  const moved = movedOf(names, beside)
  const pairs: Beside[] = [...moved]
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
  for (const each of beside) {
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

/** What went from one place and came, just as it was, to another. */
function movedOf(
  { left, right }: { readonly left: readonly string[]; readonly right: readonly string[] },
  beside: readonly Beside[],
): readonly { readonly left: number; readonly right: number }[] {
  const places = new Map<string, number[]>()
  for (const { left: from, right: to } of beside)
    if (from === undefined && to !== undefined) {
      const content = right[to] ?? ''
      places.set(content, [...(places.get(content) ?? []), to])
    }
  return beside.flatMap(({ left: from, right: to }) => {
    if (from === undefined || to !== undefined) return []
    const other = places.get(left[from] ?? '')?.shift()
    return other === undefined ? [] : [{ left: from, right: other }]
  })
}

/** Members that hold the same beside each other wherever they stand, and the rest as they come. */
function asSet(left: readonly unknown[], right: readonly unknown[]): readonly Beside[] {
  const places = new Map<string, number[]>()
  contentOf(right).forEach((content, index) => {
    const before = places.get(content)
    if (before) before.push(index)
    else places.set(content, [index])
  })
  const used = new Set<number>()
  const pairs: Beside[] = []
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
  { key, free }: ListWish,
): MatchedList {
  if (left.length === 0 || right.length === 0)
    return {
      pairs: [
        ...left.map((_, index) => ({ left: index })),
        ...right.map((_, index) => ({ right: index })),
      ],
      by: 'position',
    }
  for (const name of key === undefined ? usualKeys : [key, ...usualKeys]) {
    const named = keyedBy(left, right, name)
    // Half of the shorter list at least: a key of which nearly all are new says nothing about the rest.
    if (named && common(named) * 2 >= Math.min(left.length, right.length))
      return { pairs: byName(left, right, named), by: name }
  }
  const long = left.length >= mostAligned || right.length >= mostAligned
  if (free) return { pairs: asSet(left, right), by: 'content' }
  if (!long) return { pairs: byContent(left, right), by: 'content' }
  const most = Math.max(left.length, right.length)
  return {
    pairs: Array.from({ length: most }, (_, index) => ({
      ...(index < left.length ? { left: index } : {}),
      ...(index < right.length ? { right: index } : {}),
    })),
    by: 'position',
  }
}

/** Whether those that stand on both sides stand in another order. */
export function isShuffled(pairs: readonly Beside[]): boolean {
  let last = -1
  for (const { left, right } of pairs) {
    if (left === undefined || right === undefined) continue
    if (right < last) return true
    last = right
  }
  return false
}
