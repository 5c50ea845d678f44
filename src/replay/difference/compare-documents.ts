/**
 * Compares a recorded and a live document recursively. Each place is judged by the applicable rule of highest
 * precedence; accepted differences are reported as well.
 */
import { compact } from '../../core/base/compact.ts'
import {
  comparatorAccepts,
  holdsForMembers,
  comparesMembers,
  type PlaceHistory,
} from './comparators.ts'
import type { Difference, Rule } from '../../core/traffic/recording/difference.ts'
import type { DocumentSide } from './document.ts'
import { escapePointerKey } from '../../core/traffic/json/json-pointer.ts'
import { isList, isSameJson, jsonType } from '../../core/traffic/recording/json.ts'
import { isReordered, matchLists, type MatchedList } from './match-lists.ts'
import type { OperationRules, RuleState } from './rule-book.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'

/**
 * Maximum number of differences reported per exchange, and the same number of accepted ones: documents with more have
 * little in common.
 */
export const maxDifferences = 1000
/** Maximum depth in levels; deeper values are compared as a whole. */
const maxDepth = 200

/** A place in both documents; list positions may differ between them. */
interface Place {
  readonly above: Place | undefined
  readonly key: string | number
  readonly liveKey: string | number
  /** The rule of the parent, where that also holds for members. */
  readonly inherited: Rule | undefined
}

type PlaceKey = 'key' | 'liveKey'

function pointerOf(place: Place | undefined, which: PlaceKey): string {
  const parts: string[] = []
  for (let at = place; at; at = at.above) parts.push(escapePointerKey(String(at[which])))
  return parts
    .toReversed()
    .map((part) => `/${part}`)
    .join('')
}

export interface DocumentPair {
  readonly side: DocumentSide
  readonly rules: OperationRules
  readonly recorded: UnknownRecord
  readonly live: UnknownRecord
  /** Earlier values of a place, for `monotonic`. */
  readonly historyOf: (where: string) => PlaceHistory
}

type FoundRules = ReadonlyMap<string, { readonly rule: Rule; readonly rank: number }>

/** Places that the search rules find in one of the documents. */
function findRules(page: OperationRules, document: UnknownRecord): FoundRules {
  const found = new Map<string, { readonly rule: Rule; readonly rank: number }>()
  for (const { rule, rank, find } of page.searched)
    for (const pointer of find(document)) {
      const before = found.get(pointer)
      if (!before || before.rank > rank) found.set(pointer, { rule, rank })
    }
  return found
}

export function compareDocuments({
  side,
  rules: page,
  recorded,
  live,
  historyOf: pastOf,
}: DocumentPair): readonly Difference[] {
  const found: Difference[] = []
  const searches = page.searched.length > 0
  const inRecorded = searches ? findRules(page, recorded) : undefined
  const inLive = searches ? findRules(page, live) : undefined

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

  interface DifferenceDetails {
    readonly kind: Difference['kind']
    readonly recorded: unknown
    readonly live: unknown
    readonly rule: Rule
    readonly accepted: boolean
  }

  /** Counted separately: accepted noise must not crowd out real differences. */
  const count = { accepted: 0, open: 0 }

  function report(place: Place | undefined, details: DifferenceDetails): void {
    const kind = details.accepted ? 'accepted' : 'open'
    if (count[kind] >= maxDifferences) return
    count[kind]++
    const { recorded: left, live: right, ...more } = details
    found.push({
      side,
      where: pointerOf(place, details.kind === 'extra' ? 'liveKey' : 'key'),
      ...compact({ recorded: left, live: right }),
      ...more,
    })
  }

  /** Judges two different values as a whole. */
  function judge(place: Place | undefined, rule: Rule, left: unknown, right: unknown): void {
    const past = pastOf(rule.compare.as === 'monotonic' ? pointerOf(place, 'key') : '')
    const accepted = comparatorAccepts(rule.compare, left, right, past)
    const kind =
      left === undefined
        ? 'extra'
        : right === undefined
          ? 'missing'
          : jsonType(left) === jsonType(right)
            ? 'value'
            : 'type'
    report(place, { kind, recorded: left, live: right, rule, accepted })
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
    if (depth < maxDepth && comparesMembers(rule.compare)) {
      const inside = { place, state, rule, depth }
      if (isUnknownRecord(left) && isUnknownRecord(right))
        return compareObjects(inside, left, right)
      // Lists of equal shape may have any length.
      if (isList(left) && isList(right) && rule.compare.as !== 'shape')
        return compareLists(inside, left, right)
    }
    if (!isSameJson(left, right)) judge(place, rule, left, right)
  }

  function compareObjects(
    { place, state, rule, depth }: Inside,
    left: UnknownRecord,
    right: UnknownRecord,
  ): void {
    const inherited = holdsForMembers(rule.compare) ? rule : undefined
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

  function compareLists(
    { place, state, rule, depth }: Inside,
    left: readonly unknown[],
    right: readonly unknown[],
  ): void {
    const { compare: comparator } = rule
    const isUnordered = comparator.as === 'set'
    const matched = matchLists(left, right, {
      isUnordered,
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
    if (isReordered(matched.pairs))
      report(place, {
        kind: 'order',
        ...describeOrders(left, right, matched),
        rule,
        accepted: isUnordered,
      })
  }

  compare(undefined, page.start, [recorded, live], 0)
  return found
}

/** Maximum number of members named in a difference of order. */
const maxNamedMembers = 20

/** Both orders as key values of the members, or as positions where they have none. */
function describeOrders(
  left: readonly unknown[],
  right: readonly unknown[],
  { by, pairs }: MatchedList,
): { readonly recorded: readonly unknown[]; readonly live: readonly unknown[] } {
  const nameOf = (member: unknown, index: number): unknown => {
    if (isUnknownRecord(member)) return member[by] ?? index
    return isList(member) ? index : member
  }
  const both = pairs.flatMap(({ left: a, right: b }) =>
    a === undefined || b === undefined ? [] : [{ a, b }],
  )
  const namedPairs = both.slice(0, maxNamedMembers)
  return {
    recorded: namedPairs.map(({ a }) => nameOf(left[a], a)),
    live: namedPairs
      .toSorted((x, y) => x.b - y.b)
      .map(({ a, b }) => (isUnknownRecord(right[b]) ? nameOf(right[b], b) : nameOf(left[a], a))),
  }
}
