/**
 * Recognises what differs in every run without a change of behaviour: instants within a tolerance, ids that are
 * generated anew, numbers that count on, addresses. A difference is accepted only when it agrees with all others: one
 * recorded id is one live id, and a counter has the same steps.
 */
import { scalarTextOf } from '../../core/traffic/json/lossless-json.ts'
import { compact } from '../../core/base/compact.ts'
import { type Exchange, headerValue } from '../../core/traffic/exchange.ts'
import { jsonPathOf, pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import type { Comparator, Difference, Rule } from '../../core/traffic/recording/difference.ts'
import { createCounters } from './counters.ts'
import { instantToleranceMs } from './protocol-rules.ts'
import { defaultRule } from './rule-book.ts'
import {
  bareSeriesName,
  counterIn,
  type ExchangePair,
  isTypedPlace,
  placeName,
  unchangedNumbers,
  type VolatilePart,
  volatileParts,
  type VolatileValue,
} from './volatile-part.ts'

/** Pairs of a recorded and a live identifier: one-to-one over all exchanges, and new on both sides. */
interface Vote {
  readonly old: string
  readonly live: string
  isSure: boolean
  count: number
}

/** Maximum number of pairs; further ones are differences. */
const maxIdentifierPairs = 200_000

function createIdentifierPairs() {
  const votes = new Map<string, Vote>()
  const paired = new Set<string>()
  const forth = new Map<string, string>()
  const back = new Map<string, string>()

  const isFree = (old: string, live: string): boolean =>
    (forth.get(old) ?? live) === live && (back.get(live) ?? old) === old

  return {
    see(old: string, live: string, isSure: boolean) {
      const key = `${old}\u0000${live}`
      const before = votes.get(key)
      if (before) {
        before.count++
        before.isSure ||= isSure
      } else if (votes.size >= maxIdentifierPairs) return
      else votes.set(key, { old, live, isSure, count: 1 })
      paired.add(old)
      paired.add(live)
      if (!isSure || !isFree(old, live)) return
      forth.set(old, live)
      back.set(live, old)
    },
    /** All values that may be identifiers, of either side. */
    values: (): ReadonlySet<string> => paired,
    /** By the pairs so far: neither is paired with another one. */
    isFree,
    /** Whether the two stand for each other; `isForeign` tells values that cannot be generated anew. */
    settle(
      isForeign: (old: string, live: string) => boolean,
    ): (old: string, live: string) => boolean {
      const bound = new Map<string, string>()
      const taken = new Set<string>()
      for (const { old, live, isSure } of [...votes.values()].toSorted(
        (a, b) => b.count - a.count,
      )) {
        if (bound.has(old) || taken.has(live) || isForeign(old, live)) continue
        if (!isSure) continue
        bound.set(old, live)
        taken.add(live)
      }
      return (old, live) => bound.get(old) === live
    },
  }
}

/** A recorded exchange and the live one in its place, with recorded identifiers and times, and how they differ. */
export interface ComparedPair {
  readonly recorded: Exchange
  readonly live: Exchange
  readonly differences: readonly Difference[]
}

/** Rules that say how a value changes from run to run: they hold only over all exchanges. */
const runWide: ReadonlySet<Comparator['as']> = new Set(['identifier', 'counter'])

/** Whether its rule leaves open what a difference is: there is none for the place, or only for its address. */
const isOpen = ({ accepted, kind, rule: { from, compare } }: Difference): boolean =>
  !accepted &&
  kind === 'value' &&
  (from === 'default' ||
    runWide.has(compare.as) ||
    (from === 'protocol' && compare.as === 'address'))

/** The parts in which a difference may be noise. */
function partsOf(difference: Difference, { operation }: Exchange): VolatileValue | undefined {
  if (!isOpen(difference)) return undefined
  const { recorded, live, where, rule } = difference
  const name = placeName(where)
  const series = bareSeriesName(where, operation)
  const { as } = rule.compare
  if (!runWide.has(as))
    return volatileParts({ recorded, live, name, series, isTyped: isTypedPlace(where, operation) })
  const [old, fresh] = [scalarTextOf(recorded), scalarTextOf(live)]
  if (old === undefined || fresh === undefined) return undefined
  if (as === 'identifier')
    return { parts: [[{ kind: as, old, new: fresh, isSure: true }]], isText: false }
  const counter = counterIn(old, fresh, { name, series })
  return counter && { parts: [[{ ...counter, isNamed: true, isWord: false }]], isText: false }
}

const isInstantNear = (part: VolatilePart): boolean =>
  part.kind === 'instant' && part.distanceMs <= instantToleranceMs

const reasons: Readonly<Record<VolatilePart['kind'], string>> = {
  instant: 'Both are instants, less than a minute apart.',
  address: 'It names the address at which a host happened to listen.',
  identifier: 'It is an id that is made up anew: each recorded one is one other now.',
  counter: 'It is a counter: it begins at another number and has the same steps.',
}

const comparators: Readonly<Record<VolatilePart['kind'], Comparator>> = {
  instant: { as: 'time', within: instantToleranceMs },
  address: { as: 'address' },
  identifier: { as: 'identifier' },
  counter: { as: 'counter' },
}

const textReason = 'Only the ids, numbers, instants and addresses in the text are others.'

/** The learned rule of a place; for the words of a text there is none that could be written down. */
function learnedRule(
  { side, where, rule }: Difference,
  { operation }: Exchange,
  kind: VolatilePart['kind'] | 'text',
): Rule {
  if (runWide.has(rule.compare.as)) return rule
  return {
    at: jsonPathOf(pointerKeys(where), 'each'),
    side,
    ...compact({ operation }),
    compare: kind === 'text' ? { as: 'shape' } : comparators[kind],
    from: 'learned',
    reason: kind === 'text' ? textReason : reasons[kind],
  }
}

/** Accepts the differences all of whose parts are noise. */
function acceptDifferences(
  { differences, recorded }: ComparedPair,
  isNoise: (part: VolatilePart) => boolean,
): readonly Difference[] {
  return differences.map((difference) => {
    const value = partsOf(difference, recorded)
    const found = value?.parts.map((alternatives) => alternatives.find(isNoise)) ?? []
    const [first] = found
    if (!value || !first || found.includes(undefined)) return difference
    const rule = learnedRule(difference, recorded, value.isText ? 'text' : first.kind)
    return { ...difference, accepted: true, rule }
  })
}

/** Collects the ids and counters among the differences of a comparison. */
function createEvidence() {
  const identifiers = createIdentifierPairs()
  const counters = createCounters()
  return {
    identifiers,
    counters,
    see(difference: Difference, recorded: Exchange): void {
      for (const part of partsOf(difference, recorded)?.parts.flat() ?? [])
        if (part.kind === 'identifier') identifiers.see(part.old, part.new, part.isSure)
        else if (part.kind === 'counter') counters.add(part)
    },
  }
}

/** The differences as they were before noise was recognised. */
export const withoutNoise = (differences: readonly Difference[]): readonly Difference[] =>
  differences.map((each) => {
    const { accepted, rule } = each
    if (!accepted) return each
    if (rule.from === 'learned') return { ...each, accepted: false, rule: defaultRule }
    return runWide.has(rule.compare.as) ? { ...each, accepted: false } : each
  })

export type TentativeNoise = ReturnType<typeof createTentativeNoise>

/** Recognises noise while a replay runs: later exchanges may still show that it is none. */
export function createTentativeNoise() {
  const evidence = createEvidence()
  return {
    /** The differences of an exchange, with those accepted that agree with the ones before. */
    accept: (pair: ComparedPair): readonly Difference[] => {
      const { differences, recorded } = pair
      if (!differences.some(isOpen)) return differences
      const accepted = acceptDifferences(pair, (part) => {
        if (part.kind === 'identifier')
          return part.isSure && evidence.identifiers.isFree(part.old, part.new)
        if (part.kind === 'counter') return part.form !== '#' || part.isNamed
        return part.kind === 'address' || isInstantNear(part)
      })
      for (const difference of differences) evidence.see(difference, recorded)
      return accepted
    },
  }
}

/** Accepts whatever may be noise, each exchange by itself: to find the recorded exchange for a live one. */
export const possibleNoise: TentativeNoise = {
  accept: (pair) =>
    pair.differences.some(isOpen) ? createTentativeNoise().accept(pair) : pair.differences,
}

/** The differences of all exchanges of a comparison, with those accepted that are noise. */
export function acceptNoise(pairs: readonly ComparedPair[]): readonly (readonly Difference[])[] {
  const evidence = createEvidence()
  const { identifiers, counters } = evidence
  for (const { differences, recorded } of pairs)
    for (const difference of differences) evidence.see(difference, recorded)
  if (!counters.isEmpty())
    for (const pair of pairs)
      for (const { series, number } of unchangedNumbers(pair)) counters.addUnchanged(series, number)
  const isPaired = identifiers.settle(createForeignTest(pairs, identifiers.values()))
  const { isContinued, isSequential } = counters.settle()

  const isNoise = (part: VolatilePart): boolean => {
    if (part.kind === 'counter') return isContinued(part)
    if (part.kind !== 'identifier') return part.kind === 'address' || isInstantNear(part)
    const isCounter = part.series !== undefined && isSequential(part.series)
    return !isCounter && isPaired(part.old, part.new)
  }
  return pairs.map((pair) =>
    pair.differences.some(isOpen) ? acceptDifferences(pair, isNoise) : pair.differences,
  )
}

const word = /[\w.~+/=:-]{4,200}/g
const separators = /[./=:]+/

function textsOf({ request, reply }: Exchange): readonly string[] {
  const location = headerValue(reply?.headers ?? [], 'location') ?? ''
  return [request.url, request.body ?? '', reply?.body ?? '', location]
}

/** A word, and its parts. */
const valuesOfWord = (text: string): readonly string[] =>
  separators.test(text) ? [text, ...text.split(separators)] : [text]

function valuesIn(exchanges: Iterable<Exchange>, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const see = (value: string): unknown => wanted.has(value) && found.add(value)
  for (const exchange of exchanges)
    for (const text of textsOf(exchange))
      for (const [match] of text.matchAll(word)) valuesOfWord(match).forEach(see)
  return found
}

/**
 * Tells whether a pair of identifiers cannot stand for each other: the recorded one still occurs live, or the live one
 * occurs in the recording.
 */
function createForeignTest(
  pairs: readonly ExchangePair[],
  values: ReadonlySet<string>,
): (old: string, live: string) => boolean {
  if (values.size === 0) return () => false
  const inRecording = valuesIn(
    pairs.map(({ recorded }) => recorded),
    values,
  )
  const inReplay = valuesIn(
    pairs.map(({ live }) => live),
    values,
  )
  return (old, live) => inReplay.has(old) || inRecording.has(live)
}
