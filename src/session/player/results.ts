/**
 * What came of the exchanges of a recording that is played: of each one a byte, and of a bounded number the whole. When
 * somebody accepts a difference, all that is kept is judged again.
 */
import { setBounded } from '../../engine/bounded.ts'
import {
  compareExchanges,
  createGrowth,
  type Growth,
} from '../../traffic/difference/compare-exchanges.ts'
import type { RuleBook } from '../../traffic/difference/rule-book.ts'
import { createGathering } from '../../traffic/replay/gather.ts'
import { ruleBook } from '../../traffic/difference/protocol-rules.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import type { Replayed, ReplayReport } from '../../traffic/replay/status.ts'
import { type Standing, standings } from '../../traffic/recording/standing.ts'

/** Exchanges that are kept whole. */
const mostWhole = 10_000
/** Places of trouble that one look shows. */
const mostShown = 200

/** Standings that only say what a comparison found: another comparison may find another one. */
const ofComparison = new Set<Standing>(['same', 'noise', 'changed'])

/** The same, as other rules have it. */
export function judgedAgain(replayed: Replayed, rules: RuleBook, growth: Growth): Replayed {
  const { recorded, renamed, standing } = replayed
  if (!recorded || !renamed || !ofComparison.has(standing)) return replayed
  const differences = compareExchanges(recorded, renamed, rules, growth)
  const changed = differences.some(({ accepted }) => !accepted)
  const now = changed ? 'changed' : differences.length > 0 ? 'noise' : 'same'
  return { ...replayed, differences, standing: now }
}

/** Standings are ordered by how much trouble they are: the first two are none. */
const calm = standings.indexOf('noise') + 1

export interface Results {
  readonly add: (replayed: Replayed, place: number) => void
  readonly standing: (place: number) => Standing | undefined
  /** Kept whole; undefined where it was not played, or longer ago than so many others. */
  readonly whole: (place: number) => Replayed | undefined
  readonly counts: () => Readonly<Partial<Record<Standing, number>>>
  /** The first places that came out otherwise, in order. */
  readonly trouble: () => readonly number[]
  readonly isTrouble: (place: number) => boolean
  readonly judgeAgain: (rules: RuleBook) => void
}

export function createResults(count: number): Results {
  /** 0 where it was not played, else one more than the number of its standing. */
  const column = new Uint8Array(count)
  const kept = new Map<number, Replayed>()
  const counts = new Map<Standing, number>()
  let book: RuleBook | undefined
  let growth = createGrowth()
  let shown: readonly number[] | undefined

  const standing = (place: number): Standing | undefined => standings[(column[place] ?? 0) - 1]

  function change(standingOfOne: Standing, by: number): void {
    const left = (counts.get(standingOfOne) ?? 0) + by
    if (left > 0) counts.set(standingOfOne, left)
    else counts.delete(standingOfOne)
  }

  function put(replayed: Replayed, place: number): void {
    const before = standing(place)
    if (before !== undefined) change(before, -1)
    change(replayed.standing, 1)
    column[place] = standings.indexOf(replayed.standing) + 1
    setBounded(kept, place, replayed, mostWhole)
    shown = undefined
  }

  const isTrouble = (place: number): boolean => (column[place] ?? 0) > calm

  function trouble(): readonly number[] {
    if (shown) return shown
    const places: number[] = []
    for (let place = 0; place < count && places.length < mostShown; place++)
      if (isTrouble(place)) places.push(place)
    shown = places
    return places
  }

  return {
    add: (replayed, place) => put(book ? judgedAgain(replayed, book, growth) : replayed, place),
    standing,
    whole: (place) => kept.get(place),
    counts: () => Object.fromEntries(counts),
    trouble,
    isTrouble,
    judgeAgain(rules) {
      book = rules
      growth = createGrowth()
      for (const [place, replayed] of [...kept].toSorted(([a], [b]) => a - b))
        put(judgedAgain(replayed, rules, growth), place)
    },
  }
}

/** A report, as other rules have it. */
export function reportAgain(report: ReplayReport, rules: readonly Rule[]): ReplayReport {
  const book = ruleBook(rules)
  const growth = createGrowth()
  const gathering = createGathering()
  for (const [place, replayed] of report.exchanges.entries())
    gathering.add(judgedAgain(replayed, book, growth), place)
  const { exchanges: _exchanges, first: _first, counts: _counts, rungs: _rungs, ...rest } = report
  return gathering.report(rest)
}
