/**
 * Explanation of an order, for finding out why something had no effect: what each side did and knew, line by line,
 * where their views diverged, and conclusions.
 */
import type { Verdict } from '../rules/invariants/verdict.ts'
import type { Instant } from '../engine/instant.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'

/** Kind of an explanation line. */
export type StoryKind =
  /** The host changed the order, or an operator did. */
  | 'host'
  /** An event was announced, is in flight, or was not handed over. */
  | 'event'
  /** A fault was involved. */
  | 'fault'
  /** An event reached the other side. */
  | 'handover'
  /** The other side acknowledged an event. */
  | 'acknowledgment'
  /** The other side read the order. */
  | 'read'
  /** The other side called an operation. */
  | 'call'
  /** Effect of an accepted call. */
  | 'effect'

/** One line of an explanation. */
export interface StoryLine {
  /** Session time. */
  readonly at: Instant
  readonly kind: StoryKind
  readonly text: string
  /** Sequence numbers of the exchanges that are evidence for it. */
  readonly exchanges: readonly number[]
  /** Sequence number of the fact behind it, if any. */
  readonly fact?: number
  readonly eventId?: string
  /** Something went wrong here, or had no effect. */
  readonly odd?: true
}

/** A period during which the views of the two sides differed. */
export interface Split {
  readonly from: Instant
  /** When they agreed again; absent while they do not. */
  readonly to?: Instant
  /** What one side did not know, as a sentence. */
  readonly text: string
  /** The reason, as a sentence, as far as it is known. */
  readonly because: string
  readonly exchanges: readonly number[]
}

/** A status, since when one side had or knew it, and the evidence. */
export interface StoryStep {
  readonly status: OrderStatus
  readonly at: Instant
  /** The exchange that is evidence; absent for the host’s own history. */
  readonly exchange?: number
}

/** A rule that has failed or is inconclusive about this order. */
export type ExplainedRule = Pick<Verdict, 'id' | 'sentence' | 'remedy' | 'clauses'>

export interface Explanation {
  readonly about: {
    readonly kind:
      | 'order'
      | 'event'
      | 'exchange'
      | 'account'
      | 'customer'
      | 'loyalty-account'
      | 'coupon'
    readonly id: string
  }
  /** Absent for an exchange without an order. */
  readonly orderId?: string
  /** `o2` is the second order of the session. */
  readonly slot?: string
  /** One line: the order and its current status. */
  readonly title: string
  /** The party opposite the Ordering Application: `your service`, or the counterpart that we play. */
  readonly other: { readonly role: Role; readonly name: string }
  /** What was exchanged before this instant is no longer in memory; absent where everything is. In ms since 1970. */
  readonly wholeSince?: Instant
  /** Status history at the Ordering Application. */
  readonly host: readonly StoryStep[]
  /** Statuses that the other side provably knew: acknowledged, or read itself. */
  readonly known: readonly StoryStep[]
  /** Oldest first. */
  readonly lines: readonly StoryLine[]
  /** Number of lines omitted from the middle of a long explanation. */
  readonly omitted: number
  /** Periods of differing views, the first one first. */
  readonly splits: readonly Split[]
  /** Conclusions, one sentence each. */
  readonly conclusion: readonly string[]
  /** The rules that the conclusions name. */
  readonly rules: readonly ExplainedRule[]
}
