/**
 * The interface of an invariant: a sentence that must hold over the traffic, one file each. It handles observations one
 * at a time, in O(1), and reports how often its premise occurred and each violation with its evidence.
 */
import type { Fact } from '../engine/fact.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import type {
  ObservedAcknowledgment,
  ObservedExchange,
  ObservedFact,
  ObservedHandover,
  ObservedProbe,
} from './judge/observations.ts'
import type { Evidence, InvariantKind } from './verdict.ts'
import type { Timing } from './tracking/timing.ts'
import type { VerdictContext, TrackerState } from './tracking/tracker-state.ts'
import type { EventChannel } from '../engine/emitted-event.ts'

/** A violation, as an invariant reports it. */
export interface Violation {
  readonly because: string
  readonly evidence: readonly Evidence[]
  readonly orderId?: string | undefined
  readonly deduplicationKey?: string
  /** Advice: no clause forbids it. */
  readonly advice?: true
  /** What the measured time says, where the violation depends on one. */
  readonly timing?: Timing
}

/** Receives what an invariant reports. */
export interface InvariantReporter {
  /** The premise occurred: from here on the verdict is `passed` rather than `not-exercised`. */
  readonly premise: () => void
  /** A violation. Each deduplication key is reported only once. */
  readonly failed: (finding: Violation) => void
  /** A required action is missing, but its deadline has not passed. */
  readonly open: () => void
}

/**
 * Filters events by type and channel. The result is cached per pair, so it must depend on nothing else. An event that
 * the host never emitted has no type.
 */
export type EventFilter = (eventType: string | undefined, channel: EventChannel) => boolean

/** Which exchanges, facts and events an invariant subscribes to. */
export interface InvariantSubscriptions {
  /** Exchanges of these operations, or all exchanges with the subject. */
  readonly exchanges?: readonly OperationId[] | 'all'
  /** Only failed exchanges of these operations; successful ones as well while `needsSuccesses` is true. */
  readonly failures?: readonly OperationId[] | 'all'
  readonly facts?: readonly Fact['kind'][]
  /** Filters handovers by event type and channel; without it, all are delivered. */
  readonly handovers?: EventFilter
  readonly acknowledgments?: EventFilter
}

/** Handles one observation in O(1). May write only to the invariant's own state. */
export type InvariantHandler<State, Thing> = (
  state: State,
  thing: Thing,
  tracker: TrackerState,
  report: InvariantReporter,
) => void

/**
 * Handlers by kind of observation, called in the order in which the observations ended. Their parameters are reused
 * objects where possible: observing well-behaved traffic all day must produce no garbage.
 */
export interface InvariantHandlers<State> {
  readonly exchange?: InvariantHandler<State, ObservedExchange>
  readonly handover?: InvariantHandler<State, ObservedHandover>
  readonly acknowledgment?: InvariantHandler<State, ObservedAcknowledgment>
  readonly fact?: InvariantHandler<State, ObservedFact>
  readonly probe?: InvariantHandler<State, ObservedProbe>
}

export interface Invariant<State = unknown> {
  /** Short id from the study's catalogue: `SE-1`. */
  readonly id: string
  /** File name without extension. */
  readonly name: string
  /** The requirement as one sentence: "Must acknowledge every event …". Its subject is the service, which it does not name. */
  readonly sentence: string
  /** What the author of a service that fails should do, as an instruction of one sentence. */
  readonly remedy: string
  readonly kind: InvariantKind
  readonly clauses: readonly string[]
  /** Condition under which the invariant applies, as a clause: "an order is cancelled while …". */
  readonly premise: string
  /** Roles of a subject that the invariant applies to. */
  readonly binds: readonly Role[]
  readonly subscriptions: InvariantSubscriptions
  readonly start: () => State
  readonly handlers: InvariantHandlers<State>
  /** Whether earlier failures make successful exchanges relevant now. */
  readonly needsSuccesses?: (state: State) => boolean
  /**
   * Reports what is missing at this moment; called for each verdict, so it must not change state. Report a violation
   * with the timing of its `deadline`; while that is fine, open.
   */
  readonly end?: (state: State, tracker: VerdictContext, report: InvariantReporter) => void
  /** Outcomes of a run by order, for invariants that compare runs; those report nothing within one run. */
  readonly comparableOutcomes?: (
    state: State,
    tracker: TrackerState,
  ) => readonly ComparableOutcome[]
}

/** Outcome of one order of a run, without ids and instants, so that it is comparable between runs. */
export interface ComparableOutcome {
  /** `o2` is the second order of its session, in every run. */
  readonly slot: string
  readonly signature: string
  /** Exchanges that show the outcome. */
  readonly evidence: readonly Evidence[]
}

/** Type-checks an invariant at its definition and hides the type of its state. */
export const defineInvariant = <State>(invariant: Invariant<State>): Invariant =>
  invariant as unknown as Invariant
