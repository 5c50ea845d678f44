/**
 * The interface of an invariant: a sentence that must hold over the traffic, one file each. It handles observations one
 * at a time, in O(1), and reports how often its premise occurred and each violation with its evidence.
 */
import type { Fact } from '../engine/fact.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import type {
  SeenAcknowledgment,
  SeenExchange,
  SeenFact,
  SeenHandover,
  SeenProbe,
} from './judge/observations.ts'
import type { Cited, InvariantKind } from './verdict.ts'
import type { Present, Watch } from './tracking/tracker-state.ts'
import type { Channel } from '../engine/emitted-event.ts'

/** A violation, as an invariant reports it. */
export interface Broken {
  readonly because: string
  readonly evidence: readonly Cited[]
  readonly orderId?: string | undefined
  readonly once?: string
  /** Advice: no clause forbids it. */
  readonly advice?: true
}

/** Receives what an invariant reports. */
export interface Tell {
  /** The premise occurred: from here on the verdict is `held` rather than `untested`. */
  readonly premise: () => void
  /** A violation. Each deduplication key is reported only once. */
  readonly broken: (finding: Broken) => void
  /** A required action is missing, but its deadline has not passed. */
  readonly open: () => void
}

/**
 * Filters events by type and channel. The result is cached per pair, so it must depend on nothing else. An event that
 * the host never emitted has no type.
 */
export type OfEvents = (eventType: string | undefined, channel: Channel) => boolean

/** Which exchanges, facts and events an invariant subscribes to. */
export interface Sees {
  /** Exchanges of these operations, or all exchanges with the subject. */
  readonly exchanges?: readonly OperationId[] | 'all'
  /** Only failed exchanges of these operations; successful ones as well while `needsSuccesses` is true. */
  readonly failures?: readonly OperationId[] | 'all'
  readonly facts?: readonly Fact['kind'][]
  /** Filters handovers by event type and channel; without it, all are delivered. */
  readonly handovers?: OfEvents
  readonly acknowledgments?: OfEvents
}

/** Handles one observation in O(1). May write only to the invariant's own state. */
export type Show<State, Thing> = (state: State, thing: Thing, tracker: Watch, report: Tell) => void

/**
 * Handlers by kind of observation, called in the order in which the observations ended. Their parameters are reused
 * objects where possible: observing well-behaved traffic all day must produce no garbage.
 */
export interface Shown<State> {
  readonly exchange?: Show<State, SeenExchange>
  readonly handover?: Show<State, SeenHandover>
  readonly acknowledgment?: Show<State, SeenAcknowledgment>
  readonly fact?: Show<State, SeenFact>
  readonly probe?: Show<State, SeenProbe>
}

export interface Invariant<State = unknown> {
  /** Short id from the study's catalogue: `SE-1`. */
  readonly id: string
  /** File name without extension. */
  readonly name: string
  /** One sentence that calls the subject "the service". */
  readonly sentence: string
  readonly kind: InvariantKind
  readonly clauses: readonly string[]
  /** Condition under which the invariant applies, as a clause: "an order is cancelled while …". */
  readonly premise: string
  /** Roles of a subject that the invariant applies to. */
  readonly binds: readonly Role[]
  readonly sees: Sees
  readonly start: () => State
  readonly shown: Shown<State>
  /** Whether earlier failures make successful exchanges relevant now. */
  readonly minds?: (state: State) => boolean
  /**
   * Reports what is missing at this moment; called for each verdict, so it must not change state. Report a violation
   * only when `isOverdue`; before that, open.
   */
  readonly end?: (state: State, tracker: Present, report: Tell) => void
  /** Outcomes of a run by order, for invariants that compare runs; those report nothing within one run. */
  readonly ending?: (state: State, tracker: Watch) => readonly Ending[]
}

/** Outcome of one order of a run, without ids and instants, so that it is comparable between runs. */
export interface Ending {
  /** `o2` is the second order of its session, in every run. */
  readonly slot: string
  readonly signature: string
  /** Exchanges that show the outcome. */
  readonly evidence: readonly Cited[]
}

/** Type-checks an invariant at its definition and hides the type of its state. */
export const defineInvariant = <State>(invariant: Invariant<State>): Invariant =>
  invariant as unknown as Invariant
