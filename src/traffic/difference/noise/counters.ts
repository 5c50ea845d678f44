/** The counters of a comparison: one series for each form of a number and each place in which it occurs. */
import { createCounterSeries, type CounterSeries, numberPairKey } from './counter-series.ts'
import type { CounterPart } from './volatile-part.ts'

export interface Counters {
  readonly see: (part: CounterPart) => void
  /** A number that is equal on both sides. */
  readonly seeUnchanged: (series: string, number: number) => void
  readonly isEmpty: () => boolean
  readonly settle: () => SettledCounters
}

export interface SettledCounters {
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

export function createCounters(): Counters {
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
    see(part) {
      const known = bySeries.get(part.series)
      if (!known && bySeries.size >= maxSeries) return
      vote(part)
      const series = known ?? createCounterSeries()
      bySeries.set(part.series, series)
      series.see(part, part.isNamed)
    },
    seeUnchanged: (series, number) =>
      bySeries.get(series)?.see({ old: number, new: number }, false),
    isEmpty: () => bySeries.size === 0,
    settle() {
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
