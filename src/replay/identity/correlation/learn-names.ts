/**
 * Learns live identifiers by comparing a live exchange with the recorded one in whose place it happened: the value at
 * the same place. When that place is missing, falls back to the `Location` header, the same key elsewhere, or the only
 * value of the same shape; an ambiguous fallback is ignored.
 */
import { type Exchange, type HeaderPairs, headerValue } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { headerKind } from '../../../core/traffic/redaction/headers.ts'
import { type AlignedValue, alignDocuments, type ExpectedNames } from './align-documents.ts'
import type { IdentifierBinding, NameConflict } from '../../../core/traffic/recording/binding.ts'
import type {
  Correlation,
  CorrelatedIdentifier,
  Site,
  IdentifierOccurrence,
} from '../../../core/traffic/recording/correlation.ts'
import { pointerKeys, escapePointerKey } from '../../../core/traffic/json/json-pointer.ts'
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

export function createNameLearner(teacher: NameLearnerOptions): IdentifierBinding['learn'] {
  const { correlation, table, nameOf, bind } = teacher
  const byValue = new Map(correlation.identifiers.map((each) => [each.value, each]))
  const tokens = new Map(
    correlation.identifiers.flatMap((each) => (each.kind === 'token' ? [[each.value, each]] : [])),
  )
  const expectedNames = {
    expected: (text: string): string | undefined => {
      const identifier = byValue.get(text)
      if (!identifier) return text
      return identifier.origin === 'ours' || identifier.origin === 'theirs'
        ? table.newName(identifier.kind, text)
        : nameOf(identifier)
    },
    isTaken: (text: string): boolean => table.oldNameOfAnyKind(text) !== undefined,
  }

  /** Fallback for an identifier whose place is missing: the only candidate that is not bound yet. */
  function fallback(
    identifier: CorrelatedIdentifier,
    site: Site,
    live: Message,
  ): string | undefined {
    const location = headerIn(live, 'location')
    const last = location
      ?.split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '')
    if (last !== undefined && identifierShape(last) === identifierShape(identifier.value))
      return last
    const leaves = leavesOf(live?.body).filter(
      ({ value }) => !expectedNames.isTaken(value) && isPlausible(value),
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

  /** The tokens of a request that we prepared: the sender adds the current ones. */
  function tokensOf({ recordId, request }: RecordedExchange, live: Exchange): readonly SentName[] {
    const found: SentName[] = []
    for (const [name, value] of request.headers) {
      const lower = name.toLowerCase()
      if (headerKind(lower) !== 'credentials') continue
      const identifier = tokens.get(value.slice(value.lastIndexOf(' ') + 1))
      const now = identifier && headerIn(live.request, lower)
      const fresh = now === undefined ? undefined : extractName(value, identifier?.value ?? '', now)
      if (!identifier || fresh === undefined) continue
      const site: Site = { recordId, side: 'request', at: `/headers/${escapePointerKey(lower)}` }
      found.push({ identifier, site, name: fresh })
    }
    return found
  }

  return (recorded: RecordedExchange, live: Exchange): readonly NameConflict[] => {
    const { recordId } = recorded
    const sent = teacher.sent(recorded, live)
    const occurrences = correlation.in(recordId, sent ? 'reply' : undefined)
    const sidesOf = {
      request: new SidePair(recorded, live, 'request', expectedNames),
      reply: new SidePair(recorded, live, 'reply', expectedNames),
    } as const
    const conflicts: NameConflict[] = []

    function learnName(
      identifier: CorrelatedIdentifier,
      site: Site,
      { value, sure }: AlignedValue,
    ): void {
      const { kind, value: old, origin } = identifier
      if (typeof value !== 'string' || !isPlausible(value)) return
      // Request ids and receipts need not be one-to-one, and a secret may repeat: no conflict is reported.
      const isFree = kind === 'request' || kind === 'receipt' || origin === 'secret' || !sure
      if (isFree && table.conflictingName(kind, old, value) !== undefined) return
      const conflict = bind(kind, old, value, site)
      if (conflict) conflicts.push(conflict)
    }

    const learnSent = ({ identifier, site, name }: SentName): void =>
      learnName(identifier, site, { value: name, sure: true })
    sent?.forEach(learnSent)
    if (sent) tokensOf(recorded, live).forEach(learnSent)
    if (occurrences.length === 0) return conflicts
    // Values that are found at their place come first: they decide how list members are aligned.
    const notFound: IdentifierOccurrence[] = []
    for (const { identifier, site } of occurrences) {
      const { origin, kind } = identifier
      if (origin === 'shared' || (origin === 'secret' && kind !== 'token')) continue
      const aligned = liveAt(sidesOf[site.side], identifier, site)
      if (aligned?.value !== undefined) learnName(identifier, site, aligned)
      else notFound.push({ identifier, site })
    }
    for (const { identifier, site } of notFound) {
      const { kind, value: old, origin, born } = identifier
      const isBirth = born.recordId === site.recordId && born.side === site.side
      if (origin !== 'theirs' || !isBirth || table.newName(kind, old) !== undefined) continue
      const value = fallback(identifier, site, messageOf(live, site.side))
      if (value !== undefined) learnName(identifier, site, { value, sure: false })
    }
    return conflicts
  }
}
