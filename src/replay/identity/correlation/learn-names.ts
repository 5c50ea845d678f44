/**
 * Learns live identifiers by comparing a live exchange with the recorded one in whose place it happened: the value at
 * the same place. When that place is missing, falls back to the `Location` header, the same key elsewhere, or the only
 * value of the same shape; an ambiguous fallback is ignored.
 */
import { type Exchange, type HeaderPairs, headerValue } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { headerKind } from '../../../core/traffic/redaction/headers.ts'
import type { IdentifierBinding, NameConflict } from '../../../core/traffic/recording/binding.ts'
import type {
  CorrelatedIdentifier,
  Correlation,
  IdentifierOccurrence,
  Site,
} from '../../../core/traffic/recording/correlation.ts'
import { escapePointerKey, pointerKeys } from '../../../core/traffic/json/json-pointer.ts'
import { tryParseJson } from '../../../core/traffic/json/try-parse-json.ts'
import { editJson } from '../../../core/traffic/entities/edit-json.ts'
import {
  forEachMention,
  type Mention,
  type MessageSide,
} from '../../../core/traffic/entities/mentions.ts'
import type { NameTable } from './name-table.ts'
import { identifierShape } from '../../../core/traffic/entities/identifier-shapes.ts'
import { innermostKey } from '../../../core/traffic/entities/shift-times.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { isList } from '../../../core/traffic/recording/json.ts'

/**
 * Aligns a live document with a recorded one. Objects are aligned by key; list members by their identifying keys, since
 * list order is not guaranteed, and by position where no key tells.
 */
interface AlignedValue {
  readonly value: unknown
  /** Found by keys all the way, not by the position in a list. */
  readonly sure: boolean
}

interface ExpectedNames {
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
function alignDocuments(
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

export interface NameLearnerOptions {
  readonly correlation: Correlation
  readonly table: NameTable
  readonly nameOf: (identifier: CorrelatedIdentifier) => string | undefined
  readonly bind: IdentifierBinding['bind']
  /** Identifiers of a live request as we sent them; undefined for a request that was not prepared by us. */
  readonly sent: (recorded: RecordedExchange, live: Exchange) => readonly SentName[] | undefined
}

/** An identifier that was sent at a place and is not in the table yet. */
export interface SentName extends IdentifierOccurrence {
  readonly name: string
}

type Message = { readonly headers: HeaderPairs; readonly body?: string } | undefined

const messageOf = (exchange: Exchange, side: MessageSide): Message =>
  side === 'request' ? exchange.request : exchange.reply

/** Whole values on one side of an exchange, by place. */
function textsIn(exchange: Exchange, side: MessageSide): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const collect = ({ at, value, isPart }: Mention): void => {
    if (isPart) return
    const place = at()
    if (!texts.has(place)) texts.set(place, value)
  }
  forEachMention(exchange, collect, { side })
  return texts
}

/** One side of the recorded and of the live exchange, parsed and aligned lazily. */
class SidePair {
  readonly #recorded: Exchange
  readonly #live: Exchange
  readonly #side: MessageSide
  readonly #names: ExpectedNames
  #documents:
    | { readonly before: unknown; readonly at: ReturnType<typeof alignDocuments> }
    | undefined
  #texts: ReadonlyMap<string, string> | undefined

  constructor(recorded: Exchange, live: Exchange, side: MessageSide, expectedNames: ExpectedNames) {
    this.#recorded = recorded
    this.#live = live
    this.#side = side
    this.#names = expectedNames
  }

  get recorded(): Message {
    return messageOf(this.#recorded, this.#side)
  }

  get live(): Message {
    return messageOf(this.#live, this.#side)
  }

  get documents() {
    if (this.#documents) return this.#documents
    const before = tryParseJson(this.recorded?.body)
    const at = alignDocuments(before, tryParseJson(this.live?.body), this.#names)
    return (this.#documents = { before, at })
  }

  /** The live value at a place of a path, a query or a form. */
  textAt(place: string): string | undefined {
    this.#texts ??= textsIn(this.#live, this.#side)
    return this.#texts.get(place)
  }
}

/** The whole string at a place, such as a URL that contains an id. */
function textAt(document: unknown, pointer: string): string | undefined {
  let value = document
  for (const key of pointerKeys(pointer))
    value =
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const headerIn = (message: Message, name: string): string | undefined =>
  message && headerValue(message.headers, name)

/** End of the identifier: the same text follows, or at least the same URL delimiter. */
function endBefore(after: string, live: string, from: number): number {
  const same = live.indexOf(after, from)
  return same >= 0 || !/^[/?#&]/.test(after) ? same : live.indexOf(after.slice(0, 1), from)
}

/** The live value at the position of the recorded one; the text around it must be the same. */
function extractName(recorded: string, old: string, live: string): string | undefined {
  const start = recorded.indexOf(old)
  if (start < 0) return undefined
  if (recorded === old) return live
  const after = recorded.slice(start + old.length)
  const before = recorded.slice(0, start)
  // Host and base path may differ: only the path segment before the identifier must be the same.
  const lead = before.slice(before.lastIndexOf('/', before.length - 2) + 1)
  const from = lead === '' ? 0 : live.lastIndexOf(lead) + lead.length
  if (lead !== '' && !live.includes(lead)) return undefined
  const to = after === '' ? live.length : endBefore(after, live, from)
  return to < from ? undefined : live.slice(from, to)
}

const isPlausible = (value: string): boolean =>
  value !== '' && value.length <= 500 && !/\s/.test(value)

const maxLeaves = 20_000

interface Leaf {
  readonly key: string
  readonly value: string
}

function leavesOf(body: string | undefined): readonly Leaf[] {
  const leaves: Leaf[] = []
  editJson(body ?? '', (frames, value) => {
    if (leaves.length < maxLeaves) leaves.push({ key: innermostKey(frames), value })
    return undefined
  })
  return leaves
}

function liveAt(
  sides: SidePair,
  { value }: CorrelatedIdentifier,
  { at }: Site,
): AlignedValue | undefined {
  if (at.startsWith('/body') && sides.documents.before !== undefined) {
    const pointer = at.slice('/body'.length)
    const aligned = sides.documents.at(pointer)
    const text = aligned && textAt(aligned.value, '')
    const old = textAt(sides.documents.before, pointer)
    if (text === undefined || old === undefined) return undefined
    return { value: extractName(old, value, text), sure: aligned?.sure ?? false }
  }
  if (at.startsWith('/headers/')) {
    const name = at.slice('/headers/'.length)
    const old = headerIn(sides.recorded, name)
    const text = headerIn(sides.live, name)
    if (text === undefined || old === undefined) return undefined
    return { value: extractName(old, value, text), sure: true }
  }
  return { value: sides.textAt(at), sure: true }
}

export class NameLearner {
  readonly #options: NameLearnerOptions
  readonly #byValue: ReadonlyMap<string, CorrelatedIdentifier>
  readonly #tokens: ReadonlyMap<string, CorrelatedIdentifier>
  readonly #expectedNames: ExpectedNames = {
    expected: (text) => {
      const identifier = this.#byValue.get(text)
      if (!identifier) return text
      return identifier.origin === 'ours' || identifier.origin === 'theirs'
        ? this.#options.table.newName(identifier.kind, text)
        : this.#options.nameOf(identifier)
    },
    isTaken: (text) => this.#options.table.oldNameOfAnyKind(text) !== undefined,
  }

  constructor(options: NameLearnerOptions) {
    this.#options = options
    const { identifiers } = options.correlation
    this.#byValue = new Map(identifiers.map((each) => [each.value, each]))
    this.#tokens = new Map(
      identifiers.flatMap((each) => (each.kind === 'token' ? [[each.value, each]] : [])),
    )
  }

  learn(recorded: RecordedExchange, live: Exchange): readonly NameConflict[] {
    const conflicts: NameConflict[] = []
    const sent = this.#options.sent(recorded, live)
    const learnSent = ({ identifier, site, name }: SentName): void =>
      this.#learnName(identifier, site, { value: name, sure: true }, conflicts)
    sent?.forEach(learnSent)
    if (sent) this.#tokensOf(recorded, live).forEach(learnSent)
    const occurrences = this.#options.correlation.in(recorded.recordId, sent ? 'reply' : undefined)
    if (occurrences.length === 0) return conflicts
    const notFound = this.#learnInPlace(occurrences, recorded, live, conflicts)
    for (const { identifier, site } of notFound) {
      const { kind, value: old, origin, born } = identifier
      const isBirth = born.recordId === site.recordId && born.side === site.side
      if (origin !== 'theirs' || !isBirth) continue
      if (this.#options.table.newName(kind, old) !== undefined) continue
      const value = this.#fallback(identifier, site, messageOf(live, site.side))
      if (value !== undefined) this.#learnName(identifier, site, { value, sure: false }, conflicts)
    }
    return conflicts
  }

  /** Values that are found at their place come first: they decide how list members are aligned. */
  #learnInPlace(
    occurrences: readonly IdentifierOccurrence[],
    recorded: RecordedExchange,
    live: Exchange,
    conflicts: NameConflict[],
  ): readonly IdentifierOccurrence[] {
    const sidesOf = {
      request: new SidePair(recorded, live, 'request', this.#expectedNames),
      reply: new SidePair(recorded, live, 'reply', this.#expectedNames),
    } as const
    const notFound: IdentifierOccurrence[] = []
    for (const { identifier, site } of occurrences) {
      const { origin, kind } = identifier
      if (origin === 'shared' || (origin === 'secret' && kind !== 'token')) continue
      const aligned = liveAt(sidesOf[site.side], identifier, site)
      if (aligned?.value !== undefined) this.#learnName(identifier, site, aligned, conflicts)
      else notFound.push({ identifier, site })
    }
    return notFound
  }

  #learnName(
    { kind, value: old, origin }: CorrelatedIdentifier,
    site: Site,
    { value, sure }: AlignedValue,
    conflicts: NameConflict[],
  ): void {
    if (typeof value !== 'string' || !isPlausible(value)) return
    // Request ids and receipts need not be one-to-one, and a secret may repeat: no conflict is reported.
    const isFree = kind === 'request' || kind === 'receipt' || origin === 'secret' || !sure
    if (isFree && this.#options.table.conflictingName(kind, old, value) !== undefined) return
    const conflict = this.#options.bind(kind, old, value, site)
    if (conflict) conflicts.push(conflict)
  }

  /** Fallback for an identifier whose place is missing: the only candidate that is not bound yet. */
  #fallback(identifier: CorrelatedIdentifier, site: Site, live: Message): string | undefined {
    const location = headerIn(live, 'location')
    const last = location
      ?.split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '')
    if (last !== undefined && identifierShape(last) === identifierShape(identifier.value))
      return last
    const leaves = leavesOf(live?.body).filter(
      ({ value }) => !this.#expectedNames.isTaken(value) && isPlausible(value),
    )
    const key = site.at.split('/').findLast((part) => !/^\d+$/.test(part))
    const sameKey = [
      ...new Set(leaves.filter((leaf) => leaf.key === key).map(({ value }) => value)),
    ]
    if (sameKey.length === 1) return sameKey[0]
    const shape = identifierShape(identifier.value)
    const sameShape = new Set(
      leaves.map(({ value }) => value).filter((value) => identifierShape(value) === shape),
    )
    return sameShape.size === 1 && identifier.value.length >= 8 ? [...sameShape][0] : undefined
  }

  /** The tokens of a request that we prepared: the sender adds the current ones. */
  #tokensOf({ recordId, request }: RecordedExchange, live: Exchange): readonly SentName[] {
    const found: SentName[] = []
    for (const [name, value] of request.headers) {
      const lower = name.toLowerCase()
      if (headerKind(lower) !== 'credentials') continue
      const identifier = this.#tokens.get(value.slice(value.lastIndexOf(' ') + 1))
      const now = identifier && headerIn(live.request, lower)
      const fresh = now === undefined ? undefined : extractName(value, identifier?.value ?? '', now)
      if (!identifier || fresh === undefined) continue
      const site: Site = { recordId, side: 'request', at: `/headers/${escapePointerKey(lower)}` }
      found.push({ identifier, site, name: fresh })
    }
    return found
  }
}
