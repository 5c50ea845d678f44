/**
 * The story of an order as it is told to whoever asks why something had no effect: what each side did and knew, line by
 * line, where their views split, and what to make of it.
 */
import type { Instant } from '../engine/instant.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'

/** What a line of a story is about. */
export type StoryKind =
  /** The host moved the order, or somebody did by hand. */
  | 'host'
  /** An event was announced, is on its way, or came to nothing. */
  | 'event'
  /** A fault had its part in it. */
  | 'fault'
  /** An event reached the other side. */
  | 'handover'
  /** The other side took responsibility for an event. */
  | 'acknowledgment'
  /** The other side read the order. */
  | 'read'
  /** The other side asked for something. */
  | 'call'
  /** What became of a call that was accepted. */
  | 'effect'

/** One sentence of a story. */
export interface StoryLine {
  /** In the session’s time. */
  readonly at: Instant
  readonly kind: StoryKind
  readonly text: string
  /** The exchanges that show it. */
  readonly exchanges: readonly number[]
  /** The fact behind it, where it is one. */
  readonly fact?: number
  readonly eventId?: string
  /** It is where something went wrong, or had no effect. */
  readonly odd?: true
}

/** A moment from which one side knew less than the other, or something else. */
export interface Split {
  readonly from: Instant
  /** When they agreed again; absent when they still do not. */
  readonly to?: Instant
  /** What one side did not know, in a sentence. */
  readonly text: string
  /** Why, in a sentence, as far as it can be told. */
  readonly because: string
  readonly exchanges: readonly number[]
}

/** A status, since when one side had it or knew it, and what shows that. */
export interface StoryStep {
  readonly status: OrderStatus
  readonly at: Instant
  /** The exchange that shows it; absent for the host’s own way. */
  readonly exchange?: number
}

export interface Explanation {
  readonly about: { readonly kind: 'order' | 'event' | 'exchange'; readonly id: string }
  /** Absent for an exchange that is about no order. */
  readonly orderId?: string
  /** `o2` is the second order of the session. */
  readonly slot?: string
  /** One line: which order it is, and how it stands. */
  readonly title: string
  /** Who stands on the other side of the Ordering Application: `your service`, or the counterpart that we play. */
  readonly other: { readonly role: Role; readonly name: string }
  /** What the Ordering Application made of the order. */
  readonly host: readonly StoryStep[]
  /** What the other side demonstrably knew: acknowledged, or read itself. */
  readonly known: readonly StoryStep[]
  /** Oldest first. */
  readonly lines: readonly StoryLine[]
  /** Lines that were left out, from the middle of a long story. */
  readonly omitted: number
  /** Where the two sides’ views were apart, the first one first. */
  readonly splits: readonly Split[]
  /** What to make of it, a sentence each. */
  readonly conclusion: readonly string[]
}
