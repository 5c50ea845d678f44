/**
 * Learns what names what in a recording, in one pass. A place that the protocol types is an identifier of that kind.
 * Elsewhere a value must look as if a machine had made it up, or stand under the name of an id, and it must come again:
 * that two texts are equal proves nothing by itself.
 */
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type {
  CorrelateOptions,
  Correlation,
  Identifier,
  Origin,
  Site,
  Standing,
} from './correlation.ts'
import { eachMention, type Mention, type Side } from './mentions.ts'
import { originOf } from './origins.ts'
import { leastEmbedded, looksMinted } from './shapes.ts'
import type { IdentifierKind } from './identifier-kind.ts'

/** Where a value was first seen, and in which exchanges it stands, by their places. */
interface Found {
  readonly value: string
  readonly first: number
  readonly side: Side
  readonly at: string
  readonly places: number[]
}

interface Guess extends Found {
  /** Both sides wrote it: what one gave out, the other gave back. */
  both: boolean
  readonly writer: string
}

/** A value in more places than this, which the protocol does not type, is a word. */
const mostGuessed = 500
/** Exchanges whose places are remembered, for whoever asks for one again and again. */
const mostRemembered = 4096

const writerOf = ({ from, to }: Exchange, side: Side): string => {
  const { role, party } = side === 'request' ? from : to
  return `${party} ${role}`
}

function note(found: Found, place: number): void {
  if (found.places.at(-1) !== place) found.places.push(place)
}

class Findings {
  readonly typed = new Map<IdentifierKind, Map<string, Found>>()
  readonly guesses = new Map<string, Guess>()
  readonly parts = new Map<string, Found>()

  see(exchange: Exchange, place: number, mention: Mention): void {
    const { kind, value, side } = mention
    if (kind !== undefined) {
      let values = this.typed.get(kind)
      if (!values) this.typed.set(kind, (values = new Map()))
      const found = values.get(value)
      if (found) note(found, place)
      else values.set(value, { value, first: place, side, at: mention.at(), places: [place] })
      return
    }
    if (mention.isPart) {
      const found = this.parts.get(value)
      if (!found)
        this.parts.set(value, { value, first: place, side, at: mention.at(), places: [place] })
      else if (found.places.length < mostGuessed) note(found, place)
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
    if (guess.places.length <= mostGuessed) note(guess, place)
    guess.both ||= guess.writer !== writer
  }
}

const isCode = (value: string): boolean =>
  /^(?=.*\d)[\w~.:-]{6,200}$/.test(value) && !/^\d{4}-\d\d-\d\d|^-?\d+\.\d+$|^~/.test(value)

/** It comes again, and nobody would have written it by chance. */
function isLinked({ value, places, both }: Guess): boolean {
  if (places.length < 2 || places.length > mostGuessed) return false
  return looksMinted(value) || (both && isCode(value))
}

interface Known extends Found {
  readonly kind: IdentifierKind
}

/** Every identifier once; what a receipt repeats is the thing itself. */
function settle({ typed, guesses, parts }: Findings): readonly Known[] {
  const values = new Set<string>()
  const known: Known[] = []
  const add = (found: Found, kind: IdentifierKind): void => {
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
      const part = each.value.length < leastEmbedded ? undefined : parts.get(each.value)
      const guess = guesses.get(each.value)
      const earliest = [each, part, guess].reduce<Found>(
        (best, other) => (other && other.first < best.first ? other : best),
        each,
      )
      const places = [...each.places, ...(part?.places ?? []), ...(guess?.places ?? [])]
      const { first, side, at } = earliest
      return { kind: each.kind, value: each.value, first, side, at, places }
    })
    .toSorted((a, b) => a.first - b.first)
}

/** How an identifier is found again where it stands; shared by what learns and what substitutes. */
export interface Lookup {
  readonly find: (mention: Mention) => Identifier | undefined
}

export function createLookup(identifiers: Iterable<Identifier>): Lookup {
  const byKind = new Map<string, Map<string, Identifier>>()
  const byValue = new Map<string, Identifier>()
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
      if (kind !== undefined && kind !== 'receipt' && value.length < leastEmbedded) return undefined
      return isPart && value.length < leastEmbedded ? undefined : byValue.get(value)
    },
  }
}

/** Apart from what lives on, so that what was found on the way is let go. */
function collected(exchanges: readonly RecordedExchange[]): readonly Known[] {
  const findings = new Findings()
  for (const [place, exchange] of exchanges.entries())
    eachMention(exchange, (mention) => findings.see(exchange, place, mention))
  return settle(findings)
}

/** Reads its uses from the exchanges when somebody asks: places are many, and seldom asked for. */
class KnownIdentifier implements Identifier {
  readonly kind: IdentifierKind
  readonly value: string
  readonly origin: Origin
  readonly born: Site
  readonly #places: readonly number[]
  readonly #uses: (identifier: Identifier, places: readonly number[]) => readonly Site[]

  constructor(
    { kind, value, side, at, places }: Known,
    { origin, recordId }: { readonly origin: Origin; readonly recordId: string },
    uses: (identifier: Identifier, places: readonly number[]) => readonly Site[],
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

/** What names what in a recording. Its exchanges in the order in which they began. */
export function correlate(
  exchanges: readonly RecordedExchange[],
  options: CorrelateOptions,
): Correlation {
  const placeOf = new Map(exchanges.map(({ recordId }, place) => [recordId, place]))

  const remembered = {
    request: new Map<string, readonly Standing[]>(),
    reply: new Map<string, readonly Standing[]>(),
  } as const

  function read(exchange: RecordedExchange, side: Side): readonly Standing[] {
    const { recordId } = exchange
    const found: Standing[] = []
    const seen = new Map<Identifier, string[]>()
    const see = (mention: Mention): void => {
      const identifier = lookup.find(mention)
      if (!identifier) return
      const at = mention.at()
      const places = seen.get(identifier)
      if (places?.includes(at)) return
      if (places) places.push(at)
      else seen.set(identifier, [at])
      found.push({ identifier, site: { recordId, side, at } })
    }
    eachMention(exchange, see, { side })
    return found
  }

  function standingOn(recordId: string, side: Side): readonly Standing[] {
    const kept = remembered[side]
    const before = kept.get(recordId)
    if (before) return before
    const exchange = exchanges[placeOf.get(recordId) ?? -1]
    const fresh = exchange ? read(exchange, side) : []
    if (kept.size >= mostRemembered) kept.clear()
    kept.set(recordId, fresh)
    return fresh
  }

  const standingIn: Correlation['in'] = (recordId, side) =>
    side === undefined
      ? [...standingOn(recordId, 'request'), ...standingOn(recordId, 'reply')]
      : standingOn(recordId, side)

  function usesOf(identifier: Identifier, places: readonly number[]): readonly Site[] {
    const { side, at, recordId } = identifier.born
    return [...new Set(places)]
      .toSorted((a, b) => a - b)
      .flatMap((place) => standingIn(exchanges[place]?.recordId ?? ''))
      .filter(({ identifier: other, site }) => {
        const isBirth = site.recordId === recordId && site.side === side && site.at === at
        return other === identifier && !isBirth
      })
      .map(({ site }) => site)
  }

  const identifiers = collected(exchanges).flatMap((known): readonly Identifier[] => {
    const exchange = exchanges[known.first]
    if (!exchange) return []
    const { recordId } = exchange
    const { kind, value, side } = known
    const origin = originOf({ kind, value, exchange, side }, options)
    return [new KnownIdentifier(known, { origin, recordId }, usesOf)]
  })
  const lookup = createLookup(identifiers)

  return { identifiers, in: standingIn }
}
