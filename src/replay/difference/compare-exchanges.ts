/** Differences between a recorded exchange and the live exchange matched to it. */
import { compact } from '../../core/base/compact.ts'
import type { UnknownRecord } from '../../core/protocol/unknown-record.ts'
import {
  type Exchange,
  type ExchangeReply,
  headerValue,
  missingBytes,
} from '../../core/traffic/exchange.ts'
import { escapePointerKey, pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import type { Difference, Rule } from '../../core/traffic/recording/difference.ts'
import {
  isJsonObject,
  isList,
  isSameJson,
  jsonType,
  writableJson,
} from '../../core/traffic/recording/json.ts'
import { signatureHeaders } from '../../core/protocol/signature.ts'
import { redactExchange } from '../../core/traffic/redaction/exchange.ts'
import { bodyFacts, isBodyPlaceholder } from '../../core/traffic/redaction/pseudonyms.ts'
import { createRedactor } from '../../core/traffic/redaction/redactor.ts'
import {
  comparatorAccepts,
  holdsForMembers,
  comparesMembers,
  type PlaceHistory,
} from './comparators.ts'
import {
  type DocumentSide,
  type MessageDocument,
  replyDocument,
  requestDocument,
} from './document.ts'
import { isReordered, matchLists, type MatchedList } from './match-lists.ts'
import { createTentativeNoise, type TentativeNoise } from './noise.ts'
import type { OperationRules, RuleState, RuleBook } from './rule-book.ts'

/**
 * Compares a recorded and a live document recursively. Each place is judged by the applicable rule of highest
 * precedence; accepted differences are reported as well.
 */

/**
 * Maximum number of differences reported per exchange, and the same number of accepted ones: documents with more have
 * little in common.
 */
const maxDifferences = 1000
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

interface DocumentPair {
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

interface DifferenceDetails {
  readonly kind: Difference['kind']
  readonly recorded: unknown
  readonly live: unknown
  readonly rule: Rule
  readonly accepted: boolean
}

interface Inside {
  readonly place: Place | undefined
  readonly state: RuleState
  readonly rule: Rule
  readonly depth: number
}

class DocumentComparison {
  readonly #pair: DocumentPair
  readonly #found: Difference[] = []
  readonly #inRecorded: FoundRules | undefined
  readonly #inLive: FoundRules | undefined
  /** Counted separately: accepted noise must not crowd out real differences. */
  readonly #count = { accepted: 0, open: 0 }

  constructor(pair: DocumentPair) {
    this.#pair = pair
    const { rules, recorded, live } = pair
    const searches = rules.searched.length > 0
    this.#inRecorded = searches ? findRules(rules, recorded) : undefined
    this.#inLive = searches ? findRules(rules, live) : undefined
  }

  run(): readonly Difference[] {
    const { rules, recorded, live } = this.#pair
    this.#compare(undefined, rules.start, [recorded, live], 0)
    return this.#found
  }

  #ruleAt(state: RuleState, place: Place | undefined): Rule {
    const above = state.rule.from === 'default' ? place?.inherited : undefined
    if (!this.#inRecorded || !this.#inLive) return above ?? state.rule
    let best: { readonly rule: Rule; readonly rank: number } = above
      ? { rule: above, rank: state.rank }
      : state
    for (const each of [
      this.#inRecorded.get(pointerOf(place, 'key')),
      this.#inLive.get(pointerOf(place, 'liveKey')),
    ])
      if (each && each.rank < best.rank) best = each
    return best.rule
  }

  #report(place: Place | undefined, details: DifferenceDetails): void {
    const kind = details.accepted ? 'accepted' : 'open'
    if (this.#count[kind] >= maxDifferences) return
    this.#count[kind]++
    const { recorded: left, live: right, ...more } = details
    this.#found.push({
      side: this.#pair.side,
      where: pointerOf(place, details.kind === 'extra' ? 'liveKey' : 'key'),
      ...compact({ recorded: writableJson(left), live: writableJson(right) }),
      ...more,
    })
  }

  /** Judges two different values as a whole. */
  #judge(place: Place | undefined, rule: Rule, left: unknown, right: unknown): void {
    const where = rule.compare.as === 'monotonic' ? pointerOf(place, 'key') : ''
    const past = this.#pair.historyOf(where)
    const accepted = comparatorAccepts(rule.compare, left, right, past)
    const kind =
      left === undefined
        ? 'extra'
        : right === undefined
          ? 'missing'
          : jsonType(left) === jsonType(right)
            ? 'value'
            : 'type'
    this.#report(place, { kind, recorded: left, live: right, rule, accepted })
  }

  #compare(
    place: Place | undefined,
    state: RuleState,
    [left, right]: readonly [unknown, unknown],
    depth: number,
  ): void {
    if (left === right) return
    const rule = this.#ruleAt(state, place)
    if (depth < maxDepth && comparesMembers(rule.compare)) {
      const inside = { place, state, rule, depth }
      if (isJsonObject(left) && isJsonObject(right))
        return this.#compareObjects(inside, left, right)
      // Lists of equal shape may have any length.
      if (isList(left) && isList(right) && rule.compare.as !== 'shape')
        return this.#compareLists(inside, left, right)
    }
    if (!isSameJson(left, right)) this.#judge(place, rule, left, right)
  }

  #compareObjects(
    { place, state, rule, depth }: Inside,
    left: UnknownRecord,
    right: UnknownRecord,
  ): void {
    const inherited = holdsForMembers(rule.compare) ? rule : undefined
    for (const key of Object.keys(left)) {
      const a = left[key]
      const b = Object.hasOwn(right, key) ? right[key] : undefined
      if (a === b) continue
      const at = { above: place, key, liveKey: key, inherited }
      this.#compare(at, state.member(key), [a, b], depth + 1)
    }
    for (const key of Object.keys(right)) {
      if (Object.hasOwn(left, key)) continue
      const at = { above: place, key, liveKey: key, inherited }
      this.#compare(at, state.member(key), [undefined, right[key]], depth + 1)
    }
  }

  #compareLists(
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
      const at = { above: place, key, liveKey, inherited: undefined }
      this.#compare(at, state.each(), pair, depth + 1)
    }
    if (isReordered(matched.pairs))
      this.#report(place, {
        kind: 'order',
        ...describeOrders(left, right, matched),
        rule,
        accepted: isUnordered,
      })
  }
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
    if (isJsonObject(member)) return member[by] ?? index
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
      .map(({ a, b }) => (isJsonObject(right[b]) ? nameOf(right[b], b) : nameOf(left[a], a))),
  }
}

/**
 * Highest values per place over the exchanges compared so far, for `monotonic` rules. One instance per comparison of
 * recordings.
 */
type MonotonicHistory = ReturnType<typeof createMonotonicHistory>

/** What earlier comparisons tell about the next one. */
export interface ComparisonHistory extends MonotonicHistory {
  /** Recognises noise; without it, only the rules accept differences. */
  readonly noise?: TentativeNoise
}

/** Maximum number of places remembered. */
const maxPlaces = 10_000

export function createMonotonicHistory() {
  const greatest = new Map<string, number>()
  return {
    historyOf: (
      operation: string | undefined,
      side: DocumentSide,
      where: string,
    ): PlaceHistory => ({
      isMonotonic(value) {
        const key = `${operation} ${side} ${where}`
        const before = greatest.get(key)
        if (before !== undefined && value < before) return false
        if (before !== undefined || greatest.size < maxPlaces) greatest.set(key, value)
        return true
      },
    }),
  }
}

/** The history of a replay that runs: noise is recognised by the exchanges so far. */
export const createReplayHistory = (): ComparisonHistory => ({
  ...createMonotonicHistory(),
  noise: createTentativeNoise(),
})

const noHistory: ComparisonHistory = { historyOf: () => ({ isMonotonic: () => true }) }

/**
 * All differences between two exchanges, those of the request first. Identifiers and times of `live` are already
 * mapped to the recording's. Accepted differences are included, with `accepted` set.
 */
export function compareExchanges(
  recorded: Exchange,
  live: Exchange,
  rules: RuleBook,
  history: ComparisonHistory = noHistory,
): readonly Difference[] {
  const { operation } = recorded
  function compareSide(
    side: DocumentSide,
    write: (exchange: Exchange, bare: boolean) => MessageDocument,
  ) {
    const page = rules.page(side, operation)
    // Search rules may read the body to judge a header.
    const bare = page.searched.length === 0 && isEqualBody(recorded[side], live[side])
    return new DocumentComparison({
      side,
      rules: page,
      recorded: write(recorded, bare),
      live: write(live, bare),
      historyOf: (where) => history.historyOf(operation, side, where),
    }).run()
  }
  const requestDifferences = compareSide('request', requestDocument)
  const replyDifferences = compareSide('reply', replyDocument)
  const differences = acceptPlaceholders(
    [...requestDifferences, ...replyDifferences].filter(
      ({ kind, where }) => kind !== 'extra' || !credentialPlaces.has(where),
    ),
    recorded,
    live,
  )
  return history.noise ? history.noise.accept({ recorded, live, differences }) : differences
}

type Message = Pick<ExchangeReply, 'headers' | 'body' | 'wire'> | undefined

const contentTypeOf = (message: Message): string | undefined =>
  message && headerValue(message.headers, 'content-type')

/** An equal body of an equal content type cannot differ, so it is not parsed. */
const isEqualBody = (left: Message, right: Message): boolean =>
  left?.body === right?.body &&
  left?.wire?.base64 === right?.wire?.base64 &&
  contentTypeOf(left) === contentTypeOf(right)

/** Redactors with two fixed keys: a replacement that is equal under both does not depend on the key. */
const firstRedactor = createRedactor(() => '0123456789abcdef')
const secondRedactor = createRedactor(() => 'fedcba9876543210')

const placeholderRule: Rule = {
  at: '$',
  compare: { as: 'opaque' },
  from: 'protocol',
  reason: 'Redaction put a stand-in here: whether it stands for the other value cannot be known.',
}

/** Many tools leave these out of what they record: what only the live side has is no difference. */
const credentialPlaces: ReadonlySet<string> = new Set(
  ['authorization', ...signatureHeaders].map((name) => `/headers/${name}`),
)

const documents = { request: requestDocument, reply: replyDocument } as const

/** The value at a JSON Pointer. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const key of pointerKeys(pointer)) {
    if (isList(value)) value = value[Number(key)]
    else if (isJsonObject(value) && Object.hasOwn(value, key)) value = value[key]
    else return undefined
  }
  return value
}

type ReadPlace = (side: DocumentSide, where: string) => unknown

/** Reads places of an exchange or of its redacted copy; builds each side's document lazily, once. */
function createReader(exchange: () => Exchange): ReadPlace {
  const made = new Map<DocumentSide, unknown>()
  return (side, where) => {
    if (!made.has(side)) made.set(side, documents[side](exchange()))
    return valueAt(made.get(side), where)
  }
}

interface PlaceReaders {
  readonly own: ReadPlace
  readonly redacted: ReadPlace
  readonly otherwise: ReadPlace
}

const createReaders = (exchange: Exchange): PlaceReaders => ({
  own: createReader(() => exchange),
  redacted: createReader(() => redactExchange(exchange, firstRedactor).value),
  otherwise: createReader(() => redactExchange(exchange, secondRedactor).value),
})

/**
 * Accepts differences between a redacted recording and a live exchange: whether a placeholder stands for the live value
 * cannot be known. A value is a placeholder when redaction leaves it unchanged, whatever the key; and any value may
 * hold the marks of secrets that were recognised elsewhere. Whether `standIn` is a placeholder that may stand for the
 * other exchange's value in that place.
 */
function mayStandFor(
  placeholder: unknown,
  readers: PlaceReaders,
  otherReaders: PlaceReaders,
  at: PlaceRef,
): boolean {
  const { side, where } = at
  if (readers.redacted(side, where) !== placeholder) return false
  const made = otherReaders.redacted(side, where)
  // A list or an object is redacted member by member: nothing stands for it as a whole.
  if (made === otherReaders.own(side, where) || isList(made) || isJsonObject(made)) return false
  // Of a body that was replaced whole its length and its media type can be compared.
  if (isBodyPlaceholder(placeholder))
    return isBodyPlaceholder(made) && bodyFacts(made) === bodyFacts(placeholder)
  return made === placeholder || made !== otherReaders.otherwise(side, where)
}

const hasContent = (message: Message): boolean =>
  message !== undefined &&
  (message.body !== undefined || message.wire?.base64 !== undefined || missingBytes(message) > 0)

const marks = /~[a-z]{3}_[a-z]{10}/g

/** Whether the other value is the same text with something else in the place of each mark. */
function fitsMarks(marked: unknown, other: unknown): boolean {
  if (typeof marked !== 'string' || typeof other !== 'string' || other.search(marks) >= 0)
    return false
  const [first = '', ...parts] = marked.split(marks)
  const last = parts.pop()
  if (last === undefined || !other.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    // Something stands in the place of a mark.
    const found = other.indexOf(part, at + 1)
    if (found < 0) return false
    at = found + part.length
  }
  return other.endsWith(last) && other.length - last.length > at
}

type PlaceRef = Pick<Difference, 'side' | 'where'>

/** The differences, with those accepted in which one side may be the placeholder of the other. */
function acceptPlaceholders(
  differences: readonly Difference[],
  recorded: Exchange,
  live: Exchange,
): readonly Difference[] {
  if (differences.every(({ accepted }) => accepted)) return differences
  const [ofRecorded, ofLive] = [createReaders(recorded), createReaders(live)]
  return differences.map((each) => {
    const { side, where, accepted, kind } = each
    // A body that was replaced whole may have been parsed on the other side.
    const isBody = where === '/body'
    if (accepted || (kind !== 'value' && !isBody)) return each
    // Nothing stands for a body that was not there; one that was left out may be any.
    if (isBody && hasContent(recorded[side]) !== hasContent(live[side])) return each
    const isThere =
      ofRecorded.own(side, where) === each.recorded && ofLive.own(side, where) === each.live
    // List members may have been matched across positions: then the pointer does not identify the value.
    if (!isBody && !isThere) return each
    const mayMatch =
      fitsMarks(each.recorded, each.live) ||
      fitsMarks(each.live, each.recorded) ||
      mayStandFor(each.recorded, ofRecorded, ofLive, each) ||
      mayStandFor(each.live, ofLive, ofRecorded, each)
    return mayMatch ? { ...each, rule: placeholderRule, accepted: true } : each
  })
}
