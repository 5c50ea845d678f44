/**
 * The interface of an invariant: a sentence that must hold over the traffic, one file each. It handles observations one
 * at a time, in O(1), and reports how often its premise occurred and each violation with its evidence.
 */
import type { Fact } from '../../engine/fact.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { ProtocolGeneration } from '../../protocol/dialects/settings.ts'
import type { Role } from '../../protocol/role.ts'
import type {
  ObservedAcknowledgment,
  ObservedExchange,
  ObservedHandover,
  ObservedProbe,
} from './judge/observations.ts'
import type { Evidence, Finding, RuleDescription, RuleNeed } from './verdict.ts'
import type { Timing } from './tracking/timing.ts'
import type { ObservedEffects, VerdictContext, TrackerState } from './tracking/tracker-state.ts'

/** A violation, as an invariant reports it. */
export interface Violation extends Pick<Finding, 'clauses' | 'remedy'> {
  readonly because: string
  /** The exchanges that show it, as far as there are any. */
  readonly evidence: readonly (Evidence | undefined)[]
  readonly orderId?: string | undefined
  /** Each key is reported only once; by default it is the order. */
  readonly deduplicationKey?: string
  /** Advice: no clause forbids it. */
  readonly advice?: boolean
  /** What the measured time says, where the violation depends on one. When it is fine, there is no violation. */
  readonly timing?: Timing | undefined
}

/** Receives what an invariant reports. */
export interface InvariantReporter {
  /** The premise occurred: from here on the verdict is `passed` rather than `not-exercised`. */
  readonly premise: () => void
  readonly failed: (finding: Violation) => void
  /** A required action is missing, but its deadline has not passed. */
  readonly open: () => void
  /** It cannot be judged because of a setting, which the sentence names: inconclusive. */
  readonly unjudged: (setting: string) => void
  /** A required action is missing: open until its deadline, and a violation after it. */
  readonly due: (deadline: Timing, finding: () => Omit<Violation, 'timing'>) => void
}

/** Handles one observation in O(1). May write only to the invariant's own state. */
export type InvariantHandler<State, Thing> = (
  state: State,
  thing: Thing,
  tracker: TrackerState,
  report: InvariantReporter,
) => void

/** Handlers of facts by kind. The time of a fact is the tracker's. */
type InvariantFactHandlers<State> = {
  readonly [Kind in Fact['kind']]?: InvariantHandler<State, Extract<Fact, { kind: Kind }>>
}

/**
 * A rule and its handlers by kind of observation, called in the order in which the observations ended. Their parameters
 * are reused objects where possible: observing well-behaved traffic all day must produce no garbage.
 */
export interface Invariant<State = unknown> extends RuleDescription {
  /** Why what it reports as advice is no failure. */
  readonly adviceMeaning?: string
  /** Roles of a subject that the invariant applies to. */
  readonly binds: readonly Role[]
  /** It is about what one process remembers of its own calls: of several nothing says which one called. */
  readonly ofOneProcess?: true
  /** The version of the protocol that it is about; each when absent. */
  readonly speaks?: ProtocolGeneration
  /** What a session must have one of for its premise to occur, where its handlers do not say it. */
  readonly needs?: readonly RuleNeed[]
  /** Id of the rule that shows the same by other means: where that was exercised, this one need not be. */
  readonly alsoShownBy?: string
  readonly start: () => State
  /** The calls of the subject that are handled, by V2 name; none without a list. */
  readonly calls?: readonly OperationId[] | 'all'
  readonly call?: InvariantHandler<State, ObservedExchange>
  /** The calls of Sparring, but webhooks, whose answers are handled, by V2 name. */
  readonly answers?: readonly OperationId[]
  readonly answer?: InvariantHandler<State, ObservedExchange>
  /** A webhook of Sparring, which the subject answered or not. */
  readonly webhook?: InvariantHandler<State, ObservedExchange>
  readonly handover?: InvariantHandler<State, ObservedHandover>
  readonly acknowledgment?: InvariantHandler<State, ObservedAcknowledgment>
  readonly facts?: InvariantFactHandlers<State>
  readonly probe?: InvariantHandler<State, ObservedProbe>
  readonly effects?: InvariantHandler<State, ObservedEffects>
  /** Reports what is missing at this moment; called for each verdict, so it must not change state. */
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

/** An invariant as it is written: by default it applies to a Software Service, and has no state. */
export type InvariantDefinition<State> = Omit<Invariant<State>, 'binds' | 'start'> &
  Partial<Pick<Invariant<State>, 'binds'>> &
  (undefined extends State ? { readonly start?: () => State } : Pick<Invariant<State>, 'start'>)

/** Type-checks an invariant at its definition and hides the type of its state. */
export const defineInvariant = <State = undefined>(
  definition: InvariantDefinition<State>,
): Invariant =>
  ({
    binds: ['software-service'],
    start: () => undefined,
    ...definition,
  }) as unknown as Invariant
