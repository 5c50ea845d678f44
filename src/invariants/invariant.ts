/**
 * An invariant: a sentence that must hold over the traffic, in a file of its own. It is shown what happens, one thing at a
 * time and in O(1), says how often what it is about has happened, and what breaks it, with the exchanges that show it.
 */
import type { Channel, Fact } from '../engine/fact.ts'
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

/** What breaks an invariant. */
export interface Broken {
  readonly because: string
  readonly evidence: readonly Cited[]
  readonly orderId?: string | undefined
  readonly once?: string
  /** Worth knowing, but no clause forbids it. */
  readonly advice?: true
}

/** How an invariant speaks. */
export interface Tell {
  /** What it is about has happened: from here on, `held` means something. */
  readonly premise: () => void
  /** It is broken. The same `once` is told once only. */
  readonly broken: (finding: Broken) => void
  /** There is still time for what must come. */
  readonly open: () => void
}

/** By the type and the channel alone: it is asked once for each. An event that nobody emitted has no type. */
export type OfEvents = (eventType: string | undefined, channel: Channel) => boolean

/** Which of the many exchanges and facts it wants to be shown; no other is. */
export interface Sees {
  /** Exchanges of these operations, or every one with the subject. */
  readonly exchanges?: readonly OperationId[] | 'all'
  /** Of these only what went wrong, and all the others as well for as long as it minds them. */
  readonly failures?: readonly OperationId[] | 'all'
  readonly facts?: readonly Fact['kind'][]
  /** Whether it wants to be shown handovers of events of such a type, on such a channel; all when it does not say. */
  readonly handovers?: OfEvents
  readonly acknowledgments?: OfEvents
}

/** What it does with a thing that it is shown: in O(1), and it may only write to its own state. */
export type Show<State, Thing> = (state: State, thing: Thing, watch: Watch, tell: Tell) => void

/**
 * By what is shown, in the order in which things came to their end. What it has no word for, it is not shown. They are
 * the same for every thing that is seen: whoever watches well-behaved traffic all day must leave no garbage behind.
 */
export interface Shown<State> {
  readonly exchange?: Show<State, SeenExchange>
  readonly handover?: Show<State, SeenHandover>
  readonly acknowledgment?: Show<State, SeenAcknowledgment>
  readonly fact?: Show<State, SeenFact>
  readonly probe?: Show<State, SeenProbe>
}

export interface Invariant<State = unknown> {
  /** As in the catalogue of the study that it comes from: `SE-1`. */
  readonly id: string
  /** As in its file's name. */
  readonly name: string
  /** One sentence, with the subject as "the service". */
  readonly sentence: string
  readonly kind: InvariantKind
  readonly clauses: readonly string[]
  /** What must happen before it means anything, as a sentence: "an order is cancelled while …". */
  readonly premise: string
  /** The roles of a subject that it binds. */
  readonly binds: readonly Role[]
  readonly sees: Sees
  readonly start: () => State
  readonly shown: Shown<State>
  /** Whether, because of what went wrong before, what goes well means something to it now. */
  readonly minds?: (state: State) => boolean
  /**
   * What is so at this moment of what must come in the end: called whenever somebody wants a verdict, so it changes
   * nothing. Broken is only what had its time in calm weather (`watch.overdue`); before that it is open.
   */
  readonly end?: (state: State, watch: Present, tell: Tell) => void
  /** How a run has ended, for invariants that compare several runs; within one of them they say nothing. */
  readonly ending?: (state: State, watch: Watch) => readonly Ending[]
}

/** How one order of a run has ended: without ids and instants, so that another run can be held against it. */
export interface Ending {
  /** `o2` is the second order of its session, in every run. */
  readonly slot: string
  readonly signature: string
  /** The exchanges that show it. */
  readonly evidence: readonly Cited[]
}

/** Checks an invariant where it is written; its state is its own, so nobody else need know its type. */
export const defineInvariant = <State>(invariant: Invariant<State>): Invariant =>
  invariant as unknown as Invariant
