/**
 * Finds all identifiers of a recording in one pass. A field that the protocol defines holds an identifier of that kind.
 * Any other value must look machine-generated or have an id-like field name, and must occur again: two equal strings
 * alone prove nothing.
 */
import type { Exchange, Party } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type {
  CorrelatedIdentifier,
  CorrelateOptions,
  Correlation,
  IdentifierOccurrence,
  Origin,
  Site,
} from '../../../core/traffic/recording/correlation.ts'
import {
  forEachMention,
  type Mention,
  type MessageSide,
} from '../../../core/traffic/entities/mentions.ts'
import {
  looksGenerated,
  minEmbeddedChars,
} from '../../../core/traffic/entities/identifier-shapes.ts'
import type { IdentifierKind } from '../../../core/traffic/entities/identifier-kind.ts'
import { appendTo } from '../../../core/traffic/append-to.ts'
import type { Role } from '../../../core/protocol/role.ts'
import { isAcknowledgmentCall } from '../../../core/traffic/polling.ts'
import { secretKinds, sharedKinds } from '../../../core/traffic/entities/field-meaning.ts'

/** Who generated an identifier: the role that the protocol defines, else the party that wrote it first. */
const makerRoles: Readonly<Partial<Record<IdentifierKind, Role>>> = {
  order: 'ordering-application',
  delivery: 'delivery-platform',
  quote: 'delivery-platform',
  courier: 'delivery-platform',
  account: 'software-service',
  payment: 'software-service',
  document: 'software-service',
  'order-code': 'software-service',
  'loyalty-account': 'crm',
  redemption: 'crm',
  transaction: 'crm',
  coupon: 'crm',
}

interface FirstOccurrence {
  readonly kind: IdentifierKind
  readonly value: string
  readonly exchange: Exchange
  readonly side: MessageSide
}

function makerOf({ kind, exchange, side }: FirstOccurrence): Party {
  const { from, to } = exchange
  const role = makerRoles[kind]
  if (role !== undefined && from.role === role) return from
  if (role !== undefined && to.role === role) return to
  // An acknowledging party did not generate the event.
  if (kind === 'event' && isAcknowledgmentCall(exchange)) return to
  return side === 'request' ? from : to
}

function originOf(occurrence: FirstOccurrence, { ours, shared = {} }: CorrelateOptions): Origin {
  if (secretKinds.has(occurrence.kind)) return 'secret'
  if (sharedKinds.has(occurrence.kind) || Object.hasOwn(shared, occurrence.value)) return 'shared'
  return ours(makerOf(occurrence)) ? 'ours' : 'theirs'
}

/** A value: its first occurrence, and the exchanges (by index) in which it occurs. */
interface FoundValue {
  readonly value: string
  readonly first: number
  readonly side: MessageSide
  readonly at: string
  readonly places: number[]
}

interface Guess extends FoundValue {
  /** Both sides wrote it: one issued it and the other repeated it. */
  both: boolean
  readonly writer: string
}

/** A value that occurs more often, in fields that the protocol does not define, is an ordinary word. */
const maxGuessPlaces = 500
/** Maximum number of exchanges whose occurrences are cached. */
const maxCachedExchanges = 4096

const writerOf = ({ from, to }: Exchange, side: MessageSide): string => {
  const { role, party } = side === 'request' ? from : to
  return `${party} ${role}`
}

function addPlace(found: FoundValue, place: number): void {
  if (found.places.at(-1) !== place) found.places.push(place)
}

class Findings {
  readonly typed = new Map<IdentifierKind, Map<string, FoundValue>>()
  readonly guesses = new Map<string, Guess>()
  readonly parts = new Map<string, FoundValue>()

  see(exchange: Exchange, place: number, mention: Mention): void {
    const { kind, value, side } = mention
    if (kind !== undefined) {
      let values = this.typed.get(kind)
      if (!values) this.typed.set(kind, (values = new Map()))
      const found = values.get(value)
      if (found) addPlace(found, place)
      else values.set(value, { value, first: place, side, at: mention.at(), places: [place] })
      return
    }
    if (mention.isPart) {
      const found = this.parts.get(value)
      if (!found)
        this.parts.set(value, { value, first: place, side, at: mention.at(), places: [place] })
      else if (found.places.length < maxGuessPlaces) addPlace(found, place)
      return
    }
    const writer = writerOf(exchange, side)
    const guess = this.guesses.get(value)
    if (!guess) {
      const at = mention.at()
      this.guesses.set(value, {
        value,
        first: place,
        side,
        at,
        places: [place],
        both: false,
        writer,
      })
      return
    }
    if (guess.places.length <= maxGuessPlaces) addPlace(guess, place)
    guess.both ||= guess.writer !== writer
  }
}

const isCode = (value: string): boolean =>
  /^(?=.*\d)[\w~.:-]{6,200}$/.test(value) && !/^\d{4}-\d\d-\d\d|^-?\d+\.\d+$|^~/.test(value)

/** It occurs again, and its form is too unlikely to be chance. */
function isLinked({ value, places, both }: Guess): boolean {
  if (places.length < 2 || places.length > maxGuessPlaces) return false
  return looksGenerated(value) || (both && isCode(value))
}

interface SettledIdentifier extends FoundValue {
  readonly kind: IdentifierKind
}

/** Every identifier once; a receipt that repeats a known value is that identifier. */
function settleIdentifiers({ typed, guesses, parts }: Findings): readonly SettledIdentifier[] {
  const values = new Set<string>()
  const known: SettledIdentifier[] = []
  const add = (found: FoundValue, kind: IdentifierKind): void => {
    values.add(found.value)
    known.push({ ...found, kind })
  }
  for (const [kind, founds] of typed)
    if (kind !== 'receipt') for (const found of founds.values()) add(found, kind)
  for (const found of typed.get('receipt')?.values() ?? [])
    if (!values.has(found.value)) add(found, 'receipt')
  for (const guess of guesses.values())
    if (!values.has(guess.value) && isLinked(guess)) add(guess, 'unknown')
  return known
    .map((each) => {
      const part = each.value.length < minEmbeddedChars ? undefined : parts.get(each.value)
      const guess = guesses.get(each.value)
      const earliest = [each, part, guess].reduce<FoundValue>(
        (best, other) => (other && other.first < best.first ? other : best),
        each,
      )
      const places = [...each.places, ...(part?.places ?? []), ...(guess?.places ?? [])]
      const { first, side, at } = earliest
      return { kind: each.kind, value: each.value, first, side, at, places }
    })
    .toSorted((a, b) => a.first - b.first)
}

/** Finds the identifier of a mention; shared by learning and substitution. */
export interface IdentifierLookup {
  readonly find: (mention: Mention) => CorrelatedIdentifier | undefined
}

export function createIdentifierLookup(
  identifiers: Iterable<CorrelatedIdentifier>,
): IdentifierLookup {
  const byKind = new Map<string, Map<string, CorrelatedIdentifier>>()
  const byValue = new Map<string, CorrelatedIdentifier>()
  for (const identifier of identifiers) {
    const { kind, value } = identifier
    let values = byKind.get(kind)
    if (!values) byKind.set(kind, (values = new Map()))
    values.set(value, identifier)
    if (!byValue.has(value)) byValue.set(value, identifier)
  }
  return {
    find({ kind, value, isPart }) {
      const typed = kind === undefined ? undefined : byKind.get(kind)?.get(value)
      if (typed) return typed
      if (kind !== undefined && kind !== 'receipt' && value.length < minEmbeddedChars)
        return undefined
      return isPart && value.length < minEmbeddedChars ? undefined : byValue.get(value)
    },
  }
}

/** A function of its own, so that the intermediate findings can be collected. */
function collectIdentifiers(exchanges: readonly RecordedExchange[]): readonly SettledIdentifier[] {
  const findings = new Findings()
  for (const [place, exchange] of exchanges.entries())
    forEachMention(exchange, (mention) => findings.see(exchange, place, mention))
  return settleIdentifiers(findings)
}

/** Computes its uses lazily: they are many, and seldom needed. */
class KnownIdentifier implements CorrelatedIdentifier {
  readonly kind: IdentifierKind
  readonly value: string
  readonly origin: Origin
  readonly born: Site
  readonly #places: readonly number[]
  readonly #uses: (identifier: CorrelatedIdentifier, places: readonly number[]) => readonly Site[]

  constructor(
    { kind, value, side, at, places }: SettledIdentifier,
    { origin, recordId }: { readonly origin: Origin; readonly recordId: string },
    uses: (identifier: CorrelatedIdentifier, places: readonly number[]) => readonly Site[],
  ) {
    this.kind = kind
    this.value = value
    this.origin = origin
    this.born = { recordId, side, at }
    this.#places = places
    this.#uses = uses
  }

  get uses(): readonly Site[] {
    return this.#uses(this, this.#places)
  }
}

/** Correlates a recording; exchanges in the order in which they began. */
export function correlate(
  exchanges: readonly RecordedExchange[],
  options: CorrelateOptions,
): Correlation {
  const indexById = new Map(exchanges.map(({ recordId }, place) => [recordId, place]))

  const occurrenceCache = {
    request: new Map<string, readonly IdentifierOccurrence[]>(),
    reply: new Map<string, readonly IdentifierOccurrence[]>(),
  } as const

  function read(exchange: RecordedExchange, side: MessageSide): readonly IdentifierOccurrence[] {
    const { recordId } = exchange
    const found: IdentifierOccurrence[] = []
    const known = new Map<CorrelatedIdentifier, string[]>()
    const see = (mention: Mention): void => {
      const identifier = lookup.find(mention)
      if (!identifier) return
      const at = mention.at()
      if (known.get(identifier)?.includes(at)) return
      appendTo(known, identifier, at)
      found.push({ identifier, site: { recordId, side, at } })
    }
    forEachMention(exchange, see, { side })
    return found
  }

  function occurrencesOn(recordId: string, side: MessageSide): readonly IdentifierOccurrence[] {
    const cache = occurrenceCache[side]
    const before = cache.get(recordId)
    if (before) return before
    const exchange = exchanges[indexById.get(recordId) ?? -1]
    const fresh = exchange ? read(exchange, side) : []
    if (cache.size >= maxCachedExchanges) cache.clear()
    cache.set(recordId, fresh)
    return fresh
  }

  const occurrencesIn: Correlation['in'] = (recordId, side) =>
    side === undefined
      ? [...occurrencesOn(recordId, 'request'), ...occurrencesOn(recordId, 'reply')]
      : occurrencesOn(recordId, side)

  function usesOf(identifier: CorrelatedIdentifier, places: readonly number[]): readonly Site[] {
    const { side, at, recordId } = identifier.born
    return [...new Set(places)]
      .toSorted((a, b) => a - b)
      .flatMap((place) => occurrencesIn(exchanges[place]?.recordId ?? ''))
      .filter(({ identifier: other, site }) => {
        const isBirth = site.recordId === recordId && site.side === side && site.at === at
        return other === identifier && !isBirth
      })
      .map(({ site }) => site)
  }

  const identifiers = collectIdentifiers(exchanges).flatMap(
    (known): readonly CorrelatedIdentifier[] => {
      const exchange = exchanges[known.first]
      if (!exchange) return []
      const { recordId } = exchange
      const { kind, value, side } = known
      const origin = originOf({ kind, value, exchange, side }, options)
      return [new KnownIdentifier(known, { origin, recordId }, usesOf)]
    },
  )
  const lookup = createIdentifierLookup(identifiers)

  return { identifiers, in: occurrencesIn }
}
