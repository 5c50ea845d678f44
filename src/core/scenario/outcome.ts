/** Outcome of one run: types for reporters, the library and our own tests. */
import type { ObservedEffects } from '../rules/invariants/tracking/tracker-state.ts'
import type { Instant } from '../engine/instant.ts'
import type { RunOutcomes } from '../rules/invariants/judge/judge.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { FeatureSwitch } from '../protocol/operation.ts'
import type { ScenarioRun } from './runs.ts'

/** One failed step, expectation or invariant, with its path in the scenario. */
export interface ScenarioFailure {
  readonly kind: 'step' | 'expectation' | 'invariant'
  /** Path of the step or expectation in the scenario. */
  readonly path: readonly PropertyKey[]
  /** One sentence. */
  readonly because: string
  /** Verdict of the failed rule. */
  readonly verdict?: Verdict
  /** Id of the rule that failed first, where this one shows the same mistake; its failure stands before this one. */
  readonly follows?: string
}

export interface StepOutcome {
  /** 1-based. */
  readonly number: number
  /** Description of the step in one line. */
  readonly text: string
  /** `skipped`: an earlier step failed. */
  readonly result: 'done' | 'failed' | 'skipped'
  readonly at: Instant
  readonly because?: string
}

/** Final state of an order. */
export interface OrderOutcome {
  readonly slot: string
  readonly orderId: string
  readonly statuses: readonly string[]
  /** Status by the subject's own account, where it can be queried. */
  readonly view?: string
  /** What it was found to have done for the order inside, where effects are counted. */
  readonly effects?: ObservedEffects
  /** Successful operations on the order, in the order of their first success. */
  readonly sequence: readonly OperationId[]
}

/** What a scenario names, and its run did not exercise: a rule (`SE-1`), a step that came too late (`step 4`), `views`. */
export interface UnexercisedClaim {
  readonly id: string
  /** The scenario claims to exercise it: all but a rule under `invariants`. */
  readonly isClaimed: boolean
  /** Its path in the scenario. */
  readonly path: readonly PropertyKey[]
  /** One sentence: what it needs, or when it is checked. */
  readonly because: string
}

/** Where what a scenario claims must have been exercised: a failure for each that was not. */
export const unexercisedFailures = <Claim extends UnexercisedClaim>(claims: readonly Claim[]) =>
  claims
    .filter(({ isClaimed }) => isClaimed)
    .map(({ id: _id, isClaimed: _claimed, ...claim }) => ({
      ...claim,
      kind: 'expectation' as const,
    }))

export interface ScenarioOutcome {
  readonly run: ScenarioRun
  /**
   * `stopped`: aborted from outside; says nothing about the subject. `inconclusive`: nothing failed, and an invariant that
   * counts is inconclusive, because Sparring itself was late.
   */
  readonly result: 'passed' | 'failed' | 'inconclusive' | 'stopped'
  readonly failures: readonly ScenarioFailure[]
  /** It failed only because the service used none of this capability, which the scenario needs. */
  readonly unused?: FeatureSwitch
  /**
   * It failed only because a step could not be played, the first of `unexercised`: the service does not serve the path on
   * which it would be asked to cancel, or an order was over before it was cancelled.
   */
  readonly isOccasionMissed?: true
  readonly steps: readonly StepOutcome[]
  readonly orders: readonly OrderOutcome[]
  /** Every invariant that binds the subject; empty without a subject. */
  readonly verdicts: readonly Verdict[]
  /** Findings under faults that no correct partner makes: advice, not a failure. */
  readonly advice: readonly Verdict[]
  /** No failures: the run shows nothing of these. */
  readonly unexercised: readonly UnexercisedClaim[]
  /** Final states of the orders, for comparison with other runs of the same scenario. */
  readonly endings: RunOutcomes
  readonly seed: number
  /** Session time from begin to end, in ms. */
  readonly tookMs: number
  readonly journal: { readonly facts: number; readonly digest: string }
}
