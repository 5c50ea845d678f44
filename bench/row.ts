/** A row of the bench: its name, its ratio and the measurements behind it. */
import type { BenchOptions } from './options.ts'
import type { BenchDocuments } from './documents.ts'
import type { StartedChild } from './child-processes.ts'
import type { Spread } from './ratio.ts'

export type RatioBound = { readonly atLeast: number } | { readonly atMost: number }

/** One comparison within a row. */
export interface RowLine {
  readonly what: string
  readonly ratio: Spread
  readonly target?: RatioBound
  /** The absolute measurement, in `unit`: `cpu µs per request`, `ms`, `MB`. */
  readonly raw: Spread
  readonly unit: string
}

/** An absolute limit that must hold besides the ratio, in its own unit. */
export interface RowCheck {
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly atMost: number
}

export interface MeasuredRow {
  readonly kind: 'measured'
  readonly name: string
  readonly baseline: string
  readonly rounds: number
  /** The first line holds the ratio of the row. */
  readonly lines: readonly [RowLine, ...RowLine[]]
  readonly checks?: readonly RowCheck[]
  /** Further counts for the JSON output: requests, status codes, lines of the recording. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface SkippedRow {
  readonly kind: 'skipped'
  readonly name: string
  readonly because: string
}

export type BenchRow = MeasuredRow | SkippedRow

export interface BenchContext extends BenchOptions {
  /** Temporary folder for recordings and documents; removed at the end. */
  readonly folder: string
  readonly documents: BenchDocuments
  readonly load: StartedChild
  /** Shows progress on a terminal. */
  readonly showProgress: (text: string) => void
}

export interface RowMaker {
  /** The rows that one measurement produces. */
  readonly names: readonly string[]
  /** Measured only on request. */
  readonly optional?: true
  /** Measured by `--quick` where no rows are named. */
  readonly quick?: true
  readonly measure: (bench: BenchContext) => Promise<readonly BenchRow[]>
}

/** By how much the line that measures the baseline a second time is off; 0 without such a line. */
export const noiseOf = (row: BenchRow): number => {
  const control =
    row.kind === 'measured' ? row.lines.find(({ what }) => what.includes('control')) : undefined
  return control ? Math.abs(control.ratio.median - 1) : 0
}

/** From this noise on a row is measured again, and says so where that does not help. */
export const tooNoisy = 0.05

export const meetsTarget = ({ ratio, target }: RowLine): boolean | undefined => {
  if (!target) return undefined
  return 'atLeast' in target ? ratio.median >= target.atLeast : ratio.median <= target.atMost
}
