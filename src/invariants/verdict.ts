/** What came of an invariant: shapes for screens, reporters, the control API and the library. */
import type { Instant } from '../engine/instant.ts'

/** One exchange as evidence: short enough to keep, and whole enough to be found again. */
export interface Cited {
  /** The number of the exchange in the traffic and in a recording. */
  readonly seq: number
  /** When it began, in the session's time. */
  readonly at: Instant
  /** `12:00:03.120  SS > OA  POST /orders/o_1/confirm  202`. */
  readonly line: string
}

/** As a record that can be written down: what is kept as evidence makes its line when somebody reads it. */
export const written = ({ seq, at, line }: Cited): Cited => ({ seq, at, line })

/** One way in which an invariant was broken. */
export interface Finding {
  /** A sentence that somebody can send to a colleague. */
  readonly because: string
  readonly at: Instant
  readonly orderId?: string
  /** The order's slot: `o2` is the second one of the session. */
  readonly slot?: string
  /** The exchanges that show it, in order. */
  readonly evidence: readonly Cited[]
  /** Found under a fault that no correct partner makes: worth knowing, but nobody's mistake. */
  readonly advice?: true
}

/** Safety holds always, liveness in the end, timing in calm weather. */
export type InvariantKind = 'safety' | 'liveness' | 'timing'

/**
 * `held`: put to the test, and not broken. `untested`: what it is about has not happened, so it says nothing. `open`:
 * there is still time for what must come.
 */
export const outcomes = ['broken', 'held', 'open', 'untested'] as const
export type Outcome = (typeof outcomes)[number]

export interface Verdict {
  /** Its short name: `SE-1`. */
  readonly id: string
  /** Its name as a file: `one-effect-per-purpose`. */
  readonly name: string
  readonly sentence: string
  readonly kind: InvariantKind
  /** Clauses of the protocol that it comes from. */
  readonly clauses: readonly string[]
  readonly outcome: Outcome
  /** How often what it is about has happened. */
  readonly premises: number
  /** What would put it to the test. */
  readonly premise: string
  /** How often it was broken; the first of them are told. */
  readonly broken: number
  readonly findings: readonly Finding[]
}

/** Findings of one invariant that are told: what is broken a thousand times is broken once. */
export const mostFindings = 20
