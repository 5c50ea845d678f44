/** A pattern that finds values of a class in any text. */
import type { RedactionClass } from './class.ts'

export interface Pattern {
  readonly definition: RedactionClass
  /** A text without it has no match: cheaper than the search. */
  readonly needs?: string | RegExp
  readonly pattern: RegExp
  /** An additional check of the match. */
  readonly holds?: (match: string) => boolean
  /** Not applied to identifiers. */
  readonly quiet?: true
}
