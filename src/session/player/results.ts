/**
 * Results of played exchanges: a status byte for each, and a bounded number in full. Accepting a difference compares
 * all kept results again.
 */
import { setBounded } from '../../engine/bounded.ts'
import {
  compareExchanges,
  createMonotonicHistory,
  type MonotonicHistory,
} from '../../traffic/difference/compare-exchanges.ts'
import type { RuleBook } from '../../traffic/difference/rule-book.ts'
import { createReplayReportBuilder } from '../../traffic/replay/report-builder.ts'
import { createRuleBook } from '../../traffic/difference/protocol-rules.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import type { ReplayedExchange, ReplayReport } from '../../traffic/replay/replay-report.ts'
import { type Standing, standings } from '../../traffic/recording/standing.ts'

/** Maximum number of results kept in full. */
const maxFull = 10_000
/** Maximum number of differing places in one snapshot. */
const maxShown = 200

/** Statuses that depend on the comparison rules alone: other rules may change them. */
const comparisonStatuses = new Set<Standing>(['same', 'noise', 'changed'])

/** The result compared again with other rules. */
export function rejudge(
  replayed: ReplayedExchange,
  rules: RuleBook,
  growth: MonotonicHistory,
): ReplayedExchange {
  const { recorded, renamed, standing } = replayed
  if (!recorded || !renamed || !comparisonStatuses.has(standing)) return replayed
  const differences = compareExchanges(recorded, renamed, rules, growth)
  const changed = differences.some(({ accepted }) => !accepted)
  const now = changed ? 'changed' : differences.length > 0 ? 'noise' : 'same'
  return { ...replayed, differences, standing: now }
}

/** Statuses are ordered by severity: those below this index are no trouble. */
const firstTrouble = standings.indexOf('noise') + 1

export interface PlaybackResults {
  readonly add: (replayed: ReplayedExchange, place: number) => void
  readonly standing: (place: number) => Standing | undefined
  /** The full result; undefined when not played, or evicted. */
  readonly whole: (place: number) => ReplayedExchange | undefined
  readonly counts: () => Readonly<Partial<Record<Standing, number>>>
  /** The first places whose results differ, in order. */
  readonly trouble: () => readonly number[]
  readonly isTrouble: (place: number) => boolean
  readonly rejudgeAll: (rules: RuleBook) => void
}

export function createPlaybackResults(count: number): PlaybackResults {
  /** 0 when not played, else 1 + index of the status. */
  const column = new Uint8Array(count)
  const kept = new Map<number, ReplayedExchange>()
  const counts = new Map<Standing, number>()
  let book: RuleBook | undefined
  let growth = createMonotonicHistory()
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
    setBounded(kept, place, replayed, maxFull)
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

  return {
    add: (replayed, place) => put(book ? rejudge(replayed, book, growth) : replayed, place),
    standing,
    whole: (place) => kept.get(place),
    counts: () => Object.fromEntries(counts),
    trouble,
    isTrouble,
    rejudgeAll(rules) {
      book = rules
      growth = createMonotonicHistory()
      for (const [place, replayed] of [...kept].toSorted(([a], [b]) => a - b))
        put(rejudge(replayed, rules, growth), place)
    },
  }
}

/** A report compared again with other rules. */
export function rejudgeReport(report: ReplayReport, rules: readonly Rule[]): ReplayReport {
  const book = createRuleBook(rules)
  const growth = createMonotonicHistory()
  const gathering = createReplayReportBuilder()
  for (const [place, replayed] of report.exchanges.entries())
    gathering.add(rejudge(replayed, book, growth), place)
  const { exchanges: _exchanges, first: _first, counts: _counts, rungs: _rungs, ...rest } = report
  return gathering.report(rest)
}
