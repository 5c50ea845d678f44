/** What came of one run of a scenario: shapes for reporters, for the library and for our own tests. */
import type { Instant } from '../engine/instant.ts'
import type { RunOutcomes } from '../invariants/judge/judge.ts'
import type { Verdict } from '../invariants/verdict.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Run } from './runs.ts'

/** One thing that is not as the scenario says, and where it says so. */
export interface Failure {
  readonly kind: 'step' | 'expectation' | 'invariant'
  /** Of the step or the expectation, in the scenario. */
  readonly path: readonly PropertyKey[]
  /** One sentence. */
  readonly because: string
  /** The invariant that was broken. */
  readonly verdict?: Verdict
}

export interface StepOutcome {
  /** From 1. */
  readonly number: number
  /** What it does, in one line. */
  readonly text: string
  /** `skipped`: a step before it failed. */
  readonly result: 'done' | 'failed' | 'skipped'
  readonly at: Instant
  readonly because?: string
}

/** How an order stands in the end. */
export interface OrderOutcome {
  readonly slot: string
  readonly orderId: string
  readonly statuses: readonly string[]
  /** What the subject itself says, where it lets somebody look. */
  readonly view?: string
  /** Its calls about the order that succeeded, each by its first success. */
  readonly sequence: readonly OperationId[]
}

export interface Outcome {
  readonly run: Run
  /** `stopped`: it was broken off from outside, and says nothing of the subject. */
  readonly result: 'passed' | 'failed' | 'stopped'
  readonly failures: readonly Failure[]
  readonly steps: readonly StepOutcome[]
  readonly orders: readonly OrderOutcome[]
  /** Every invariant that binds the subject; none when there is nobody to judge. */
  readonly verdicts: readonly Verdict[]
  /** What was found under faults that no correct partner makes: advice, and no failure. */
  readonly advice: readonly Verdict[]
  /** How the orders ended, to be held against other runs of the same scenario. */
  readonly endings: RunOutcomes
  readonly seed: number
  /** The session's time from its beginning to its end. */
  readonly tookMs: number
  readonly journal: { readonly facts: number; readonly digest: string }
}

/** Broken by something that a correct partner may do. */
export const isBroken = ({ outcome, findings }: Verdict): boolean =>
  outcome === 'broken' && findings.some(({ advice }) => !advice)

export const isAdvice = (verdict: Verdict): boolean =>
  verdict.outcome === 'broken' && !isBroken(verdict)
