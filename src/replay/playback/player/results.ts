/**
 * Results of played exchanges: a status byte for each, and a bounded number in full. Accepting a difference compares
 * all kept results again.
 */
import { deleteSized, setBounded, setSized } from '../../../core/engine/bounded.ts'
import { createReplayHistory } from '../../difference/compare-exchanges.ts'
import type { RuleBook } from '../../difference/rule-book.ts'
import {
  compareFailures,
  type ComparedFailure,
  countFailures,
  type FailureCounts,
} from '../../../core/traffic/recording/failure-comparison.ts'
import { rejudge, settleNoise } from '../../minimise/judge-exchange.ts'
import type { ReplayedExchange } from '../../../core/traffic/recording/replay-report.ts'
import { largeChars } from '../../../core/traffic/exchange.ts'
import {
  type Standing,
  standings,
  unremarkableStandings,
} from '../../../core/traffic/recording/standing.ts'
import { maxKeptReplayChars, replayedChars } from '../../minimise/report-builder.ts'

/** Maximum number of results kept in full. */
const maxFull = 10_000

/** Characters of a result and of its recorded exchange, which was read for it alone. */
const charsOf = (replayed: ReplayedExchange): number =>
  replayedChars(replayed) + (replayed.recorded ? largeChars(replayed.recorded) : 0)

/** Maximum number of differing places in one snapshot. */
const maxShown = 200

/** Statuses are ordered by severity: the unremarkable ones come first. */
const firstTrouble = unremarkableStandings.size

const limits = { maxEntries: maxFull, maxSize: maxKeptReplayChars, sizeOf: charsOf }

export type PlaybackResults = ReturnType<typeof createPlaybackResults>

export function createPlaybackResults(count: number) {
  /** 0 when not played, else 1 + index of the status. */
  const column = new Uint8Array(count)
  const kept = new Map<number, ReplayedExchange>()
  const counts = new Map<Standing, number>()
  const failures = new Map<number, ComparedFailure>()
  let book: RuleBook | undefined
  let history = createReplayHistory()
  let isSettled = false
  let shown: readonly number[] | undefined

  const standing = (place: number): Standing | undefined => standings[(column[place] ?? 0) - 1]

  function change(standingOfOne: Standing, by: number): void {
    const left = (counts.get(standingOfOne) ?? 0) + by
    if (left > 0) counts.set(standingOfOne, left)
    else counts.delete(standingOfOne)
  }

  function put(replayed: ReplayedExchange, place: number): void {
    const before = standing(place)
    if (before !== undefined) change(before, -1)
    change(replayed.standing, 1)
    column[place] = standings.indexOf(replayed.standing) + 1
    deleteSized(kept, place, limits)
    setSized(kept, [place, replayed], limits)
    const [failure] = compareFailures({ exchanges: [replayed], driver: 'client' })
    if (failure) setBounded(failures, place, failure, maxFull)
    else failures.delete(place)
    shown = undefined
  }

  const isTrouble = (place: number): boolean => (column[place] ?? 0) > firstTrouble

  function trouble(): readonly number[] {
    if (shown) return shown
    const places: number[] = []
    for (let place = 0; place < count && places.length < maxShown; place++)
      if (isTrouble(place)) places.push(place)
    shown = places
    return places
  }

  function settle(): void {
    const places = [...kept.entries()].map(([place]) => place).toSorted((a, b) => a - b)
    const settled = settleNoise(places.flatMap((place) => kept.get(place) ?? []))
    for (const [index, replayed] of settled.entries()) put(replayed, places[index] ?? 0)
  }

  return {
    add: (replayed: ReplayedExchange, place: number) =>
      put(book ? rejudge(replayed, book, history) : replayed, place),
    standing,
    /** The full result; undefined when not played, or evicted. */
    whole: (place: number): ReplayedExchange | undefined => kept.get(place),
    counts: (): Readonly<Partial<Record<Standing, number>>> => Object.fromEntries(counts),
    /** What became of the recorded failures so far. */
    failures: (): FailureCounts => countFailures([...failures.values()]),
    /** The first places whose results differ, in order. */
    trouble,
    isTrouble,
    rejudgeAll(rules: RuleBook) {
      book = rules
      history = createReplayHistory()
      for (const [place, replayed] of [...kept.entries()].toSorted(([a], [b]) => a - b))
        put(rejudge(replayed, rules, history), place)
      if (isSettled) settle()
    },
    /** To be called when all were played: what is noise is known then. */
    settle() {
      isSettled = true
      settle()
    },
  }
}
