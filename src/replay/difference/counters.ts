/**
 * Counters: numbers that count on from another one in every run. The votes of all differences show which series of numbers
 * are counters, and which pairs of numbers continue them.
 */
import type { CounterPart } from './volatile-part.ts'

interface SettledCounters {
  readonly isContinued: (part: CounterPart) => boolean
  readonly isSequential: (series: string) => boolean
}

/** How often each recorded number became which live one, in one form, wherever it occurs. */
type Votes = Map<number, Map<number, number>>

/** The most frequent of the numbers that it became; undefined when there are several. */
function onlyMostFrequent(votes: ReadonlyMap<number, number> | undefined): number | undefined {
  const sorted = [...(votes ?? [])].toSorted(([, a], [, b]) => b - a)
  const [first, second] = sorted
  return first && first[1] !== second?.[1] ? first[0] : undefined
}

/** Maximum number of series; what belongs to further ones is no counter. */
const maxSeries = 10_000

export function createCounters() {
  const bySeries = new Map<string, CounterSeries>()
  const byForm = new Map<string, Votes>()

  function vote({ form, old, new: live }: CounterPart): void {
    const votes: Votes = byForm.get(form) ?? new Map()
    byForm.set(form, votes)
    const counts = votes.get(old) ?? new Map<number, number>()
    votes.set(old, counts)
    counts.set(live, (counts.get(live) ?? 0) + 1)
  }

  return {
    add(part: CounterPart) {
      const known = bySeries.get(part.series)
      if (!known && bySeries.size >= maxSeries) return
      vote(part)
      const series = known ?? createCounterSeries()
      bySeries.set(part.series, series)
      series.add(part, part.isNamed)
    },
    /** A number that is equal on both sides. */
    addUnchanged: (series: string, number: number) =>
      bySeries.get(series)?.add({ old: number, new: number }, false),
    isEmpty: () => bySeries.size === 0,
    settle(): SettledCounters {
      const continued = new Map([...bySeries].map(([key, series]) => [key, series.continued()]))
      const ofForms = new Map<string, Set<string>>()
      for (const [key, pairs] of continued) {
        const [form = ''] = key.split('\u0000')
        ofForms.set(form, new Set([...(ofForms.get(form) ?? []), ...pairs]))
      }
      return {
        isContinued(part) {
          const { form, series, old, isWord } = part
          const key = numberPairKey(part)
          const isKnown = continued.get(series)?.has(key) || (isWord && ofForms.get(form)?.has(key))
          // A bare number of another place is another thing.
          return (
            isKnown === true &&
            (form === '#' || onlyMostFrequent(byForm.get(form)?.get(old)) === part.new)
          )
        },
        isSequential: (series) => bySeries.get(series)?.isSequential() ?? false,
      }
    },
  }
}

interface NumberPair {
  readonly old: number
  readonly new: number
}

type CounterSeries = ReturnType<typeof createCounterSeries>

const numberPairKey = (pair: NumberPair): string => `${pair.old} ${pair.new}`

/** Maximum number of pairs. */
const maxPairs = 200_000
/** Distinct numbers that show a counter, where the name of its field does not. */
const minUnnamed = 4
/** Maximum mean distance of the numbers of one counter. */
const maxMeanStep = 50

const ascending = (numbers: Iterable<number>): readonly number[] =>
  [...numbers].toSorted((a, b) => a - b)

const isUnchanged = (pair: NumberPair): boolean => pair.old === pair.new

/** One-to-one pairs, unchanged and frequent ones first. */
function withoutConflicts(votes: ReadonlyMap<string, NumberPair & { count: number }>) {
  const olds = new Set<number>()
  const news = new Set<number>()
  return [...votes.values()]
    .toSorted((a, b) => Number(isUnchanged(b)) - Number(isUnchanged(a)) || b.count - a.count)
    .filter((pair) => {
      if (olds.has(pair.old) || news.has(pair.new)) return false
      olds.add(pair.old)
      news.add(pair.new)
      return true
    })
}

function areMostlyConsecutive(numbers: readonly number[]): boolean {
  const direct = numbers.filter(
    (each, index) => index > 0 && each - (numbers[index - 1] ?? 0) === 1,
  )
  return direct.length * 2 >= numbers.length - 1
}

/** Distances that are tried. */
const maxDistances = 100

/** The distance that carries most recorded numbers to live ones. */
function bestDistance(pairs: readonly NumberPair[]): number {
  const news = new Set(pairs.map((pair) => pair.new))
  const lowest = (ascending(news)[0] ?? 0) - (pairs[0]?.old ?? 0)
  const distances = new Set([0, lowest, ...pairs.map((pair) => pair.new - pair.old)])
  let best = { distance: 0, hits: -1 }
  for (const distance of [...distances].slice(0, maxDistances)) {
    const hits = pairs.filter(({ old }) => news.has(old + distance)).length
    if (hits > best.hits) best = { distance, hits }
  }
  return best.distance
}

/** The pairs whose numbers belong to the same set on both sides, at a distance. */
function permuted(pairs: readonly NumberPair[]): readonly NumberPair[] {
  const distance = bestDistance(pairs)
  const olds = new Set(pairs.map((pair) => pair.old))
  const news = new Set(pairs.map((pair) => pair.new))
  return pairs.filter((pair) => news.has(pair.old + distance) && olds.has(pair.new - distance))
}

/** A replay of a part of a recording takes fewer numbers: a step may be shorter, and never longer. */
const isStep = (recorded: number, live: number): boolean => live >= 1 && live <= recorded

/** The pairs without those at which the step to the next number changed. */
function evenlyStepped(sorted: readonly NumberPair[]): readonly NumberPair[] {
  const uneven = new Set<NumberPair>()
  for (const [index, pair] of sorted.entries()) {
    const before = sorted[index - 1]
    if (!before || isStep(pair.old - before.old, pair.new - before.new)) continue
    // A number that stayed is no difference: then the one before it is.
    uneven.add(isUnchanged(pair) ? before : pair)
  }
  return sorted.filter((pair) => !uneven.has(pair))
}

/** Whether the numbers of both sides have the same steps, whichever thing has which. */
function haveEvenSteps(pairs: readonly NumberPair[]): boolean {
  const olds = ascending(pairs.map(({ old }) => old))
  const news = ascending(pairs.map((pair) => pair.new))
  return olds.every(
    (old, index) =>
      index === 0 ||
      isStep(old - (olds[index - 1] ?? 0), (news[index] ?? 0) - (news[index - 1] ?? 0)),
  )
}

/** The pairs that count on. */
function continuedPairs(sorted: readonly NumberPair[]): readonly NumberPair[] {
  const isOrdered = sorted.every(
    (pair, index) => index === 0 || pair.new > (sorted[index - 1]?.new ?? 0),
  )
  if (isOrdered) return evenlyStepped(sorted)
  return haveEvenSteps(sorted) ? sorted : permuted(sorted)
}

/**
 * A series of numbered things, recorded and live: it counts on when the same steps begin at another number. Concurrent
 * things may take their numbers in another order; a number that is left out, or used twice, is a difference.
 */
function createCounterSeries() {
  const votes = new Map<string, NumberPair & { count: number }>()
  let isNamed = false

  const pairs = (): readonly NumberPair[] =>
    withoutConflicts(votes).toSorted((a, b) => a.old - b.old)

  function isSequential(): boolean {
    const numbers = ascending(new Set([...votes.values()].map(({ old }) => old)))
    const span = (numbers.at(-1) ?? 0) - (numbers[0] ?? 0)
    return span <= maxMeanStep * numbers.length
  }

  return {
    add(pair: NumberPair, named: boolean) {
      isNamed ||= named
      const key = numberPairKey(pair)
      const before = votes.get(key)
      if (before) before.count++
      else if (votes.size < maxPairs) votes.set(key, { ...pair, count: 1 })
    },
    /** The number of pairs, without those that contradict more frequent ones. */
    pairs,
    /** Whether the recorded numbers are close together, as those of a counter are. */
    isSequential,
    /** The pairs that count on, as keys; empty when it is no counter. */
    continued(): ReadonlySet<string> {
      const sorted = pairs()
      const isCounter =
        isSequential() &&
        (isNamed ||
          (sorted.length >= minUnnamed && areMostlyConsecutive(sorted.map(({ old }) => old))))
      if (!isCounter) return new Set()
      return new Set(continuedPairs(sorted).map(numberPairKey))
    },
  }
}
