/** Differences between a recorded exchange and the live exchange matched to it. */
import { type Exchange, type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import type { PlaceHistory } from './comparators.ts'
import type { Difference, Rule } from '../../core/traffic/recording/difference.ts'
import {
  type MessageDocument,
  replyDocument,
  requestDocument,
  type DocumentSide,
} from './document.ts'
import type { RuleBook } from './rule-book.ts'
import { createTentativeNoise, type TentativeNoise } from './noise.ts'
import { compareDocuments } from './compare-documents.ts'
import { pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import { bodyFacts, isBodyPlaceholder } from '../../core/traffic/redaction/pseudonyms.ts'
import { redactExchange } from '../../core/traffic/redaction/exchange.ts'
import { createRedactor } from '../../core/traffic/redaction/redactor.ts'
import { isList } from '../../core/traffic/recording/json.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

/**
 * Highest values per place over the exchanges compared so far, for `monotonic` rules. One instance per comparison of
 * recordings.
 */
export interface MonotonicHistory {
  readonly historyOf: (
    operation: string | undefined,
    side: DocumentSide,
    where: string,
  ) => PlaceHistory
}

/** What earlier comparisons tell about the next one. */
export interface ComparisonHistory extends MonotonicHistory {
  /** Recognises noise; without it, only the rules accept differences. */
  readonly noise?: TentativeNoise
}

/** Maximum number of places remembered. */
const maxPlaces = 10_000

export function createMonotonicHistory(): MonotonicHistory {
  const greatest = new Map<string, number>()
  return {
    historyOf: (operation, side, where) => ({
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
    return compareDocuments({
      side,
      rules: page,
      recorded: write(recorded, bare),
      live: write(live, bare),
      historyOf: (where) => history.historyOf(operation, side, where),
    })
  }
  const requestDifferences = compareSide('request', requestDocument)
  const replyDifferences = compareSide('reply', replyDocument)
  const differences = acceptPlaceholders(
    [...requestDifferences, ...replyDifferences],
    recorded,
    live,
  )
  return history.noise ? history.noise.accept({ recorded, live, differences }) : differences
}

type Message = { readonly headers: HeaderPairs; readonly body?: string } | undefined

const contentTypeOf = (message: Message): string | undefined =>
  message && headerValue(message.headers, 'content-type')

/** An equal body of an equal content type cannot differ, so it is not parsed. */
const isEqualBody = (left: Message, right: Message): boolean =>
  left?.body === right?.body && contentTypeOf(left) === contentTypeOf(right)

/** Redactors with two fixed keys: a replacement that is equal under both does not depend on the key. */
const firstRedactor = createRedactor(() => '0123456789abcdef')
const secondRedactor = createRedactor(() => 'fedcba9876543210')

const placeholderRule: Rule = {
  at: '$',
  compare: { as: 'opaque' },
  from: 'protocol',
  reason: 'Redaction put a stand-in here: whether it stands for the other value cannot be known.',
}

const documents = { request: requestDocument, reply: replyDocument } as const

/** The value at a JSON Pointer. */
function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const key of pointerKeys(pointer)) {
    if (isList(value)) value = value[Number(key)]
    else if (isUnknownRecord(value) && Object.hasOwn(value, key)) value = value[key]
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
  if (made === otherReaders.own(side, where)) return false
  // Of a body that was replaced whole its length and its media type can be compared.
  if (isBodyPlaceholder(placeholder))
    return isBodyPlaceholder(made) && bodyFacts(made) === bodyFacts(placeholder)
  return made === placeholder || made !== otherReaders.otherwise(side, where)
}

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
