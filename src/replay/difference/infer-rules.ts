/**
 * Infers rules for noise from two replays of the same build: what differs between those is no change of the build.
 * The kind of noise is guessed from the values; the proposed comparator still checks something, and is never
 * `ignore`.
 */
import { compact } from '../../core/base/compact.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { jsonPathOf, pointerKeys } from '../../core/traffic/json/json-pointer.ts'
import { compareExchanges } from './compare-exchanges.ts'
import type { Comparator, Difference, Rule } from '../../core/traffic/recording/difference.ts'
import type { DocumentSide } from './document.ts'
import { acceptNoise, type ComparedPair } from './noise.ts'
import {
  comparableInstants,
  instantInText,
  looksMachineGenerated,
  haveSameShape,
} from './text-form.ts'
import type { RuleBook } from './rule-book.ts'

/** A recorded exchange with its live exchanges of two replays, mapped to the recording's identifiers and times. */
export interface ReplayPair {
  readonly recorded: Exchange
  readonly first: Exchange
  readonly second: Exchange
}

/** A place that differs between the two replays without a recognised pattern: differences there prove nothing. */
export interface UnstablePlace {
  readonly operation: string | undefined
  readonly side: DocumentSide
  /** JSONPath, with list positions as `*`. */
  readonly at: string
  readonly samples: number
  readonly values: readonly [first: unknown, second: unknown]
}

export interface InferredRules {
  readonly rules: readonly Rule[]
  readonly unstable: readonly UnstablePlace[]
}

/** Minimum number of samples for frequency statistics (Diffy's method). */
const minSamples = 100
const minRelativeDifference = 0.2
const minAbsoluteDifference = 0.0003
/** Maximum number of value pairs kept per place. */
const maxValues = 50

interface NoisyPlace {
  readonly operation: string | undefined
  readonly side: DocumentSide
  readonly at: string
  /** Samples in which the recording and the first replay differ. */
  raw: number
  /** Samples in which the two replays differ. */
  noise: number
  /** Number of differences in list order alone. */
  shuffled: number
  readonly values: (readonly [unknown, unknown])[]
  /** Samples in which the two replays differ by noise that needs no rule. */
  recognised: number
  /** The rule that says what kind of noise. */
  learned?: Rule
}

interface Guess {
  readonly fits: (left: unknown, right: unknown) => boolean
  readonly compare: (pairs: NoisyPlace['values']) => Comparator
  readonly says: string
}

const largestDistance = (pairs: NoisyPlace['values']): number =>
  Math.max(...pairs.map(([a, b]) => Math.abs((instantInText(a) ?? 0) - (instantInText(b) ?? 0))))

/** Recognised kinds of volatile values, the most specific first. */
const guesses: readonly Guess[] = [
  {
    fits: (left, right) =>
      typeof left === 'string' && comparableInstants(left, right) !== undefined,
    // Twice the observed distance, in whole seconds: two replays are hardly the slowest and the fastest.
    compare: (pairs) => ({
      as: 'time',
      within: Math.ceil((largestDistance(pairs) * 2) / 1000) * 1000,
    }),
    says: 'an instant',
  },
  {
    fits: (left, right) =>
      typeof left === 'string' &&
      typeof right === 'string' &&
      looksMachineGenerated(left) &&
      haveSameShape(left, right),
    compare: () => ({ as: 'shape' }),
    says: 'a name that is made up',
  },
]

const learnedKinds: Readonly<Partial<Record<Comparator['as'], string>>> = {
  time: 'an instant',
  identifier: 'an id that is made up anew',
  counter: 'a counter that goes on',
  address: 'an address of the run',
}

/** Integers that increase from exchange to exchange, in both replays. */
function isCounter(pairs: NoisyPlace['values']): boolean {
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
  place: NoisyPlace,
): { readonly compare: Comparator; readonly says: string } | undefined {
  const { values, shuffled } = place
  if (values.length === 0)
    return shuffled > 0 ? { compare: { as: 'set' }, says: 'a list in another order' } : undefined
  const guess = guesses.find(({ fits }) => values.every(([a, b]) => fits(a, b)))
  if (guess) return { compare: guess.compare(values), says: guess.says }
  return isCounter(values) ? { compare: { as: 'monotonic' }, says: 'a counter' } : undefined
}

/** With enough samples: a place that differs from the recording no more often than between replays is noise. */
function isNoiseByFrequency({ raw, noise }: NoisyPlace, samples: number): boolean {
  if (samples < minSamples) return false
  const relative = raw + noise === 0 ? 0 : Math.abs(raw - noise) / (raw + noise)
  const isReal =
    raw > noise &&
    relative > minRelativeDifference &&
    Math.abs(raw - noise) / samples > minAbsoluteDifference
  return !isReal
}

/**
 * The rules that two replays of one build suggest beyond those in `book`, and the unstable places for which none
 * could be inferred.
 */
export function inferRules(pairs: readonly ReplayPair[], book: RuleBook): InferredRules {
  const places = new Map<string, NoisyPlace>()
  const samples = new Map<string | undefined, number>()

  function count(
    operation: string | undefined,
    found: readonly Difference[],
    isNoise: boolean,
  ): void {
    const known = new Set<string>()
    for (const { side, where, kind, recorded, live, accepted, rule } of found) {
      const isLearned = accepted && isNoise && rule.from === 'learned'
      if (accepted && !isLearned) continue
      const at = jsonPathOf(pointerKeys(where), 'each')
      const key = JSON.stringify([operation, side, at])
      const place = places.get(key) ?? {
        operation,
        side,
        at,
        raw: 0,
        noise: 0,
        shuffled: 0,
        values: [],
        recognised: 0,
      }
      places.set(key, place)
      if (isLearned) place.learned ??= rule
      else if (isNoise && kind === 'order') place.shuffled++
      else if (isNoise && place.values.length < maxValues) place.values.push([recorded, live])
      // Differences in several members of one list count as one sample.
      if (known.has(`${key} ${isLearned}`)) continue
      known.add(`${key} ${isLearned}`)
      if (isLearned) place.recognised++
      else if (isNoise) place.noise++
      else place.raw++
    }
  }

  const compare = (left: Exchange, right: Exchange): ComparedPair => ({
    recorded: left,
    live: right,
    differences: compareExchanges(left, right, book),
  })
  const changes = acceptNoise(pairs.map(({ recorded, first }) => compare(recorded, first)))
  const noises = acceptNoise(pairs.map(({ first, second }) => compare(first, second)))
  for (const [index, { recorded }] of pairs.entries()) {
    const { operation } = recorded
    samples.set(operation, (samples.get(operation) ?? 0) + 1)
    count(operation, changes[index] ?? [], false)
    count(operation, noises[index] ?? [], true)
  }

  const rules: Rule[] = []
  const unstable: UnstablePlace[] = []
  for (const place of places.values()) {
    const { operation, side, at, values, noise, recognised, learned } = place
    if (noise + recognised === 0) continue
    const says = noise === 0 && learned ? learnedKinds[learned.compare.as] : undefined
    // What no rule can say is recognised without one.
    if (noise === 0 && says === undefined) continue
    const sampleCount = samples.get(operation) ?? 0
    const guess =
      (says !== undefined && learned ? { compare: learned.compare, says } : undefined) ??
      guessOf(place) ??
      (isNoiseByFrequency(place, sampleCount)
        ? { compare: { as: 'opaque' } as const, says: 'something that changes by itself' }
        : undefined)
    if (guess)
      rules.push({
        at,
        side,
        ...compact({ operation }),
        compare: guess.compare,
        from: 'inferred',
        reason: `Two replays of the same build differ here in ${noise + recognised} of ${sampleCount}: it looks like ${guess.says}.`,
      })
    else
      unstable.push({
        operation,
        side,
        at,
        samples: sampleCount,
        values: values[0] ?? [undefined, undefined],
      })
  }
  return { rules, unstable }
}
