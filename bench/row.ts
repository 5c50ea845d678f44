/** A row of the bench: its name, its ratio and the measurements behind it. */
import type { BenchOptions } from './options.ts'
import type { Documents } from './documents.ts'
import type { Started } from './children.ts'
import type { Spread } from './ratio.ts'

export type Bound = { readonly atLeast: number } | { readonly atMost: number }

/** One comparison within a row. */
export interface Line {
  readonly what: string
  readonly ratio: Spread
  readonly target?: Bound
  /** The absolute measurement, in `unit`: `cpu µs per request`, `ms`, `MB`. */
  readonly raw: Spread
  readonly unit: string
}

/** An absolute limit that must hold besides the ratio, in its own unit. */
export interface Check {
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
  readonly lines: readonly [Line, ...Line[]]
  readonly checks?: readonly Check[]
  /** Further counts for the JSON output: requests, status codes, lines of the recording. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface SkippedRow {
  readonly kind: 'skipped'
  readonly name: string
  readonly because: string
}

export type Row = MeasuredRow | SkippedRow

export interface Bench extends BenchOptions {
  /** Temporary folder for recordings and documents; removed at the end. */
  readonly folder: string
  readonly documents: Documents
  readonly load: Started
  /** Shows progress on a terminal. */
  readonly say: (text: string) => void
}

export interface RowMaker {
  /** The rows that one measurement produces. */
  readonly names: readonly string[]
  /** Measured only on request. */
  readonly optional?: true
  readonly measure: (bench: Bench) => Promise<readonly Row[]>
}

export const holds = ({ ratio, target }: Line): boolean | undefined => {
  if (!target) return undefined
  return 'atLeast' in target ? ratio.median >= target.atLeast : ratio.median <= target.atMost
}
