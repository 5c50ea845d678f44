/**
 * Walks a recorded and a live document side by side and says where they differ. Each place is judged by the strongest
 * rule that holds there; what a rule accepts is told as well, so that nothing is hidden.
 */
import { accepts, isInherited, looksInside, type Past } from './comparators.ts'
import type { Difference, Rule } from './difference.ts'
import type { Side } from './document.ts'
import { pointerPart } from '../json/json-pointer.ts'
import { isList, isObject, isSame, type JsonObject, jsonType } from './json.ts'
import { isShuffled, matchLists, type MatchedList } from './lists.ts'
import type { RulePage } from './rule-book.ts'
import type { RuleState } from './rule-states.ts'

/** Differences of one exchange that are told, and as many that a rule accepts: whoever has more has another document. */
export const mostDifferences = 1000
/** Deeper than this, values are compared whole. */
const deepest = 200

/** A place in both documents; their positions in a list may be different. */
interface Place {
  readonly above: Place | undefined
  readonly key: string | number
  readonly liveKey: string | number
  /** The rule of what it stands in, where that holds inside as well. */
  readonly inherited: Rule | undefined
}

type Which = 'key' | 'liveKey'

function pointerOf(place: Place | undefined, which: Which): string {
  const parts: string[] = []
  for (let at = place; at; at = at.above) parts.push(pointerPart(String(at[which])))
  return parts
    .toReversed()
    .map((part) => `/${part}`)
    .join('')
}

export interface Walked {
  readonly side: Side
  readonly page: RulePage
  readonly recorded: JsonObject
  readonly live: JsonObject
  /** What a place held before, for what may only grow. */
  readonly pastOf: (where: string) => Past
}

type Searched = ReadonlyMap<string, { readonly rule: Rule; readonly rank: number }>

/** Where the rules that have to search found something, in one of the documents. */
function searchedIn(page: RulePage, document: JsonObject): Searched {
  const found = new Map<string, { readonly rule: Rule; readonly rank: number }>()
  for (const { rule, rank, find } of page.searched)
    for (const pointer of find(document)) {
      const before = found.get(pointer)
      if (!before || before.rank > rank) found.set(pointer, { rule, rank })
    }
  return found
}

export function walk({ side, page, recorded, live, pastOf }: Walked): readonly Difference[] {
  const found: Difference[] = []
  const searches = page.searched.length > 0
  const inRecorded = searches ? searchedIn(page, recorded) : undefined
  const inLive = searches ? searchedIn(page, live) : undefined

  function ruleAt(state: RuleState, place: Place | undefined): Rule {
    const above = state.rule.from === 'default' ? place?.inherited : undefined
    if (!inRecorded || !inLive) return above ?? state.rule
    let best: { readonly rule: Rule; readonly rank: number } = above
      ? { rule: above, rank: state.rank }
      : state
    for (const each of [
      inRecorded.get(pointerOf(place, 'key')),
      inLive.get(pointerOf(place, 'liveKey')),
    ])
      if (each && each.rank < best.rank) best = each
    return best.rule
  }

  interface Told {
    readonly kind: Difference['kind']
    readonly recorded: unknown
    readonly live: unknown
    readonly rule: Rule
    readonly accepted: boolean
  }

  /** Apart: noise, however much of it there is, must not push out what is none. */
  const count = { accepted: 0, open: 0 }

  function tell(place: Place | undefined, told: Told): void {
    const kind = told.accepted ? 'accepted' : 'open'
    if (count[kind] >= mostDifferences) return
    count[kind]++
    const { recorded: left, live: right, ...more } = told
    found.push({
      side,
      where: pointerOf(place, told.kind === 'extra' ? 'liveKey' : 'key'),
      ...(left === undefined ? {} : { recorded: left }),
      ...(right === undefined ? {} : { live: right }),
      ...more,
    })
  }

  /** Two values that are not the same, and which nobody looks into. */
  function judge(place: Place | undefined, rule: Rule, left: unknown, right: unknown): void {
    const past = pastOf(rule.compare.as === 'monotonic' ? pointerOf(place, 'key') : '')
    const accepted = accepts(rule.compare, left, right, past)
    const kind =
      left === undefined
        ? 'extra'
        : right === undefined
          ? 'missing'
          : jsonType(left) === jsonType(right)
            ? 'value'
            : 'type'
    tell(place, { kind, recorded: left, live: right, rule, accepted })
  }

  interface Inside {
    readonly place: Place | undefined
    readonly state: RuleState
    readonly rule: Rule
    readonly depth: number
  }

  function compare(
    place: Place | undefined,
    state: RuleState,
    [left, right]: readonly [unknown, unknown],
    depth: number,
  ): void {
    if (left === right) return
    const rule = ruleAt(state, place)
    if (depth < deepest && looksInside(rule.compare)) {
      const inside = { place, state, rule, depth }
      if (isObject(left) && isObject(right)) return objects(inside, left, right)
      // Lists of one shape may be of any length.
      if (isList(left) && isList(right) && rule.compare.as !== 'shape')
        return lists(inside, left, right)
    }
    if (!isSame(left, right)) judge(place, rule, left, right)
  }

  function objects(
    { place, state, rule, depth }: Inside,
    left: JsonObject,
    right: JsonObject,
  ): void {
    const inherited = isInherited(rule.compare) ? rule : undefined
    for (const key of Object.keys(left)) {
      const a = left[key]
      const b = Object.hasOwn(right, key) ? right[key] : undefined
      if (a !== b)
        compare(
          { above: place, key, liveKey: key, inherited },
          state.member(key),
          [a, b],
          depth + 1,
        )
    }
    for (const key of Object.keys(right))
      if (!Object.hasOwn(left, key))
        compare(
          { above: place, key, liveKey: key, inherited },
          state.member(key),
          [undefined, right[key]],
          depth + 1,
        )
  }

  function lists(
    { place, state, rule, depth }: Inside,
    left: readonly unknown[],
    right: readonly unknown[],
  ): void {
    const { compare: comparator } = rule
    const free = comparator.as === 'set'
    const matched = matchLists(left, right, {
      free,
      ...(comparator.as === 'keyed' ? { key: comparator.by } : {}),
    })
    for (const { left: a, right: b } of matched.pairs) {
      const key = a ?? b ?? 0
      const liveKey = b ?? a ?? 0
      const pair = [
        a === undefined ? undefined : left[a],
        b === undefined ? undefined : right[b],
      ] as const
      compare({ above: place, key, liveKey, inherited: undefined }, state.each(), pair, depth + 1)
    }
    if (isShuffled(matched.pairs))
      tell(place, { kind: 'order', ...inWords(left, right, matched), rule, accepted: free })
  }

  compare(undefined, page.start, [recorded, live], 0)
  return found
}

/** Members that are named when their order is told. */
const mostNamed = 20

/** Both orders by the names of the members, or by their positions where they have none. */
function inWords(
  left: readonly unknown[],
  right: readonly unknown[],
  { by, pairs }: MatchedList,
): { readonly recorded: readonly unknown[]; readonly live: readonly unknown[] } {
  const nameOf = (member: unknown, index: number): unknown => {
    if (isObject(member)) return member[by] ?? index
    return isList(member) ? index : member
  }
  const both = pairs.flatMap(({ left: a, right: b }) =>
    a === undefined || b === undefined ? [] : [{ a, b }],
  )
  const told = both.slice(0, mostNamed)
  return {
    recorded: told.map(({ a }) => nameOf(left[a], a)),
    live: told
      .toSorted((x, y) => x.b - y.b)
      .map(({ a, b }) => (isObject(right[b]) ? nameOf(right[b], b) : nameOf(left[a], a))),
  }
}
