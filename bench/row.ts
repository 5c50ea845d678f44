/** A row of the bench: its promised name, its ratio and everything that one needs to judge it. */
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
  /** What was measured, as it was measured: `cpu µs per request`, `ms`, `MB`. */
  readonly raw: Spread
  readonly unit: string
}

/** Something besides the ratio that must hold, in its own unit. */
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
  /** The first is the row's own ratio. */
  readonly lines: readonly [Line, ...Line[]]
  readonly checks?: readonly Check[]
  /** Whatever else was counted: request totals, status codes, the recording's lines. */
  readonly details: Readonly<Record<string, unknown>>
}

export interface SkippedRow {
  readonly kind: 'skipped'
  readonly name: string
  readonly because: string
}

export type Row = MeasuredRow | SkippedRow

export interface Bench extends BenchOptions {
  /** A folder of our own for recordings and documents; it is removed at the end. */
  readonly folder: string
  readonly documents: Documents
  readonly load: Started
  /** Says what is being done, where somebody may see it. */
  readonly say: (text: string) => void
}

export interface RowMaker {
  /** The rows that come of one measurement. */
  readonly names: readonly string[]
  /** Measured only when it is asked for. */
  readonly optional?: true
  readonly measure: (bench: Bench) => Promise<readonly Row[]>
}

export const holds = ({ ratio, target }: Line): boolean | undefined => {
  if (!target) return undefined
  return 'atLeast' in target ? ratio.median >= target.atLeast : ratio.median <= target.atMost
}
