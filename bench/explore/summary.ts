/** Totals over defects: what each strategy finds, how soon, and what is left of it after shrinking. */
import type { DefectName } from '../../src/demo/defects.ts'
import type { FalseAlarms } from './false-alarms.ts'
import type { Kill } from './kill.ts'
import type { ShrunkDefect } from './reproducers.ts'
import { baseline } from './strategies.ts'

export interface DefectRow {
  readonly defect: DefectName
  /** By strategy: one for each seed. */
  readonly kills: ReadonlyMap<string, readonly Kill[]>
  /** Of the usual mix; absent where no fault is needed, or nothing was found. */
  readonly shrunk?: ShrunkDefect
}

export interface ExploreBenchResult {
  readonly rows: readonly DefectRow[]
  readonly strategies: readonly string[]
  readonly seeds: readonly number[]
  readonly maxRuns: number
  readonly falseAlarms: FalseAlarms
  /** Rules that the correct service breaks in a schedule that was drawn to find a defect. */
  readonly doubtful: readonly string[]
}

/** What is never found counts as infinitely late. */
const runsOf = (kill: Kill): number =>
  kill.kind === 'steady' ? 1 : kill.kind === 'killed' ? kill.runs : Number.POSITIVE_INFINITY

/** The value of which this share is at most as large. */
export function quantileOf(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}

/** The median runs over the seeds, the later of two; infinite when half of them find nothing. */
export function medianRuns({ kills }: DefectRow, strategy: string): number {
  const runs = (kills.get(strategy) ?? []).map(runsOf).sort((one, other) => one - other)
  return runs[runs.length >> 1] ?? Number.POSITIVE_INFINITY
}

export const needsFault = ({ kills }: DefectRow): boolean =>
  [...kills.values()].some((each) => each.some(({ kind }) => kind !== 'steady'))

/** Whether any strategy finds it with any seed. */
export const isShown = ({ kills }: DefectRow): boolean =>
  [...kills.values()].some((each) => each.some(({ kind }) => kind !== 'survived'))

export interface StrategyTotals {
  readonly strategy: string
  /** Defects that are found with most seeds. */
  readonly killed: number
  readonly medianRuns: number
  /** At most so many runs for nine in ten defects. */
  readonly mostRuns: number
  /** Mean of the runs, each at most the budget. */
  readonly meanRuns: number
  /** The share of the runs that the baseline takes. */
  readonly ratio: number
}

/** Totals over defects, of which each is shown by some strategy. */
export function strategyTotals(
  rows: readonly DefectRow[],
  { strategies, maxRuns }: Pick<ExploreBenchResult, 'strategies' | 'maxRuns'>,
): readonly StrategyTotals[] {
  const meanOf = (strategy: string): number =>
    rows.reduce((sum, row) => sum + Math.min(maxRuns, medianRuns(row, strategy)), 0) /
    Math.max(1, rows.length)
  return strategies.map((strategy) => {
    const medians = rows.map((row) => medianRuns(row, strategy))
    return {
      strategy,
      killed: medians.filter(Number.isFinite).length,
      medianRuns: quantileOf(medians, 0.5) ?? Number.POSITIVE_INFINITY,
      mostRuns: quantileOf(medians, 0.9) ?? Number.POSITIVE_INFINITY,
      meanRuns: meanOf(strategy),
      ratio: meanOf(strategy) / meanOf(baseline),
    }
  })
}

export interface ReproducerTotals {
  readonly reproducers: number
  /** How many have each status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly faults: readonly [median: number, nineInTen: number]
  readonly orders: readonly [median: number, nineInTen: number]
  readonly executions: readonly [median: number, nineInTen: number]
  /** Of the reproducers that were played again: how many failed each time. */
  readonly replayedAlways: number
  readonly replayed: number
}

/** Undefined when nothing was shrunk. */
export function reproducerTotals(rows: readonly DefectRow[]): ReproducerTotals | undefined {
  const shrunk = rows.flatMap((row) => row.shrunk ?? [])
  const all = shrunk.flatMap(({ reproducers }) => reproducers)
  if (all.length === 0) return undefined
  const pair = (values: readonly number[]): readonly [number, number] => [
    quantileOf(values, 0.5) ?? 0,
    quantileOf(values, 0.9) ?? 0,
  ]
  const statuses: Record<string, number> = {}
  for (const { status } of all) statuses[status] = (statuses[status] ?? 0) + 1
  const replays = shrunk.flatMap((each) => each.replays ?? [])
  return {
    reproducers: all.length,
    statuses,
    faults: pair(all.map(({ faults }) => faults)),
    orders: pair(all.map(({ orders }) => orders)),
    executions: pair(all.map(({ executions }) => executions)),
    replayedAlways: replays.filter(({ failed, played }) => failed === played).length,
    replayed: replays.length,
  }
}
