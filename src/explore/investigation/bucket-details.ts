/** The details of a bucket besides its record. */
import type { Clause } from '../../core/protocol/clause.ts'

export interface BucketDetails {
  /** The rule as a sentence, and what to do. */
  readonly sentence: string
  readonly remedy: string
  readonly clauses: readonly Clause[]
  /** What a person reads, one paragraph. */
  readonly paragraph: string
  /** The scenario that was kept; absent when nothing is written. */
  readonly file?: string
  /** The recording of the reproducer; absent when there is none. */
  readonly recording?: string
  /** The command that plays it again. */
  readonly again: string
}
