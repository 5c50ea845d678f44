/**
 * Noise found by replaying twice: what differs between two replays of the same build cannot be a change of the build.
 * What kind of noise it is is guessed from the values, and a comparator is proposed that still looks, never one that
 * looks away.
 */
import type { Exchange } from '../exchange.ts'
import { jsonPathOf, keysIn } from '../json/json-pointer.ts'
import { compareExchanges } from './compare-exchanges.ts'
import type { Comparator, Difference, Rule } from './difference.ts'
import type { Side } from './document.ts'
import { instantOf, looksMinted, sameShape } from './format.ts'
import type { RuleBook } from './rule-book.ts'

/** A recorded exchange and what happened in its place in two replays, in the names and times of the recording. */
export interface Twice {
  readonly recorded: Exchange
  readonly first: Exchange
  readonly second: Exchange
}

/** A place that changes by itself, in a way that nobody knows: two replays are no proof of anything there. */
export interface Unstable {
  readonly operation: string | undefined
  readonly side: Side
  /** JSONPath, with list positions as `*`. */
  readonly at: string
  readonly samples: number
  readonly values: readonly [first: unknown, second: unknown]
}

export interface Inferred {
  readonly rules: readonly Rule[]
  readonly unstable: readonly Unstable[]
}

/** From so many samples of an operation on, frequencies mean something (the rule that Diffy made known). */
const enoughSamples = 100
const leastRelative = 0.2
const leastAbsolute = 0.0003
/** Values of a place that are looked at. */
const mostValues = 50

interface Place {
  readonly operation: string | undefined
  readonly side: Side
  readonly at: string
  /** Samples in which the recording and the first replay differ. */
  raw: number
  /** Samples in which the two replays differ. */
  noise: number
  /** Times that only the order was another one. */
  shuffled: number
  readonly values: (readonly [unknown, unknown])[]
}

interface Guess {
  readonly fits: (left: unknown, right: unknown) => boolean
  readonly compare: (pairs: Place['values']) => Comparator
  readonly says: string
}

const spread = (pairs: Place['values']): number =>
  Math.max(...pairs.map(([a, b]) => Math.abs((instantOf(a) ?? 0) - (instantOf(b) ?? 0))))

/** What volatile values look like, the most certain first. */
const guesses: readonly Guess[] = [
  {
    fits: (left, right) => instantOf(left) !== undefined && instantOf(right) !== undefined,
    // Twice the distance that was seen, in whole seconds: two replays are not the slowest and the fastest.
    compare: (pairs) => ({ as: 'time', within: Math.ceil((spread(pairs) * 2) / 1000) * 1000 }),
    says: 'an instant',
  },
  {
    fits: (left, right) =>
      typeof left === 'string' &&
      typeof right === 'string' &&
      looksMinted(left) &&
      sameShape(left, right),
    compare: () => ({ as: 'shape' }),
    says: 'a name that is made up',
  },
]

/** Whole numbers that grow from exchange to exchange, in both replays. */
function isCounter(pairs: Place['values']): boolean {
  const grows = (numbers: readonly unknown[]): boolean =>
    numbers.every(
      (each, index) =>
        typeof each === 'number' &&
        Number.isInteger(each) &&
        (index === 0 || each > Number(numbers[index - 1])),
    )
  return pairs.length > 2 && grows(pairs.map(([a]) => a)) && grows(pairs.map(([, b]) => b))
}

function guessOf(
  place: Place,
): { readonly compare: Comparator; readonly says: string } | undefined {
  const { values, shuffled } = place
  if (values.length === 0)
    return shuffled > 0 ? { compare: { as: 'set' }, says: 'a list in another order' } : undefined
  const guess = guesses.find(({ fits }) => values.every(([a, b]) => fits(a, b)))
  if (guess) return { compare: guess.compare(values), says: guess.says }
  return isCounter(values) ? { compare: { as: 'monotonic' }, says: 'a counter' } : undefined
}

/** Many samples: what differs no more often than by itself is noise, whatever it looks like. */
function isNoiseByNumber({ raw, noise }: Place, samples: number): boolean {
  if (samples < enoughSamples) return false
  const relative = raw + noise === 0 ? 0 : Math.abs(raw - noise) / (raw + noise)
  const isReal =
    raw > noise && relative > leastRelative && Math.abs(raw - noise) / samples > leastAbsolute
  return !isReal
}

/** The rules that two replays of one build propose beyond those in `book`; and what nobody can tell. */
export function inferRules(pairs: readonly Twice[], book: RuleBook): Inferred {
  const places = new Map<string, Place>()
  const samples = new Map<string | undefined, number>()

  function count(
    operation: string | undefined,
    found: readonly Difference[],
    isNoise: boolean,
  ): void {
    const seen = new Set<string>()
    for (const { side, where, kind, recorded, live, accepted } of found) {
      if (accepted) continue
      const at = jsonPathOf(keysIn(where), 'each')
      const key = JSON.stringify([operation, side, at])
      const place = places.get(key) ?? {
        operation,
        side,
        at,
        raw: 0,
        noise: 0,
        shuffled: 0,
        values: [],
      }
      places.set(key, place)
      if (isNoise && kind === 'order') place.shuffled++
      else if (isNoise && place.values.length < mostValues) place.values.push([recorded, live])
      // A list of many is one sample, however many of its members differ.
      if (seen.has(key)) continue
      seen.add(key)
      if (isNoise) place.noise++
      else place.raw++
    }
  }

  for (const { recorded, first, second } of pairs) {
    const { operation } = recorded
    samples.set(operation, (samples.get(operation) ?? 0) + 1)
    count(operation, compareExchanges(recorded, first, book), false)
    count(operation, compareExchanges(first, second, book), true)
  }

  const rules: Rule[] = []
  const unstable: Unstable[] = []
  for (const place of places.values()) {
    if (place.noise === 0) continue
    const { operation, side, at, values } = place
    const taken = samples.get(operation) ?? 0
    const guess =
      guessOf(place) ??
      (isNoiseByNumber(place, taken)
        ? { compare: { as: 'opaque' } as const, says: 'something that changes by itself' }
        : undefined)
    if (guess)
      rules.push({
        at,
        side,
        ...(operation === undefined ? {} : { operation }),
        compare: guess.compare,
        from: 'inferred',
        reason: `Two replays of the same build differ here in ${place.noise} of ${taken}: it looks like ${guess.says}.`,
      })
    else
      unstable.push({
        operation,
        side,
        at,
        samples: taken,
        values: values[0] ?? [undefined, undefined],
      })
  }
  return { rules, unstable }
}
