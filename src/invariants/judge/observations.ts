/** What invariants observe, one at a time, ordered by the end of each. */
import type { Entry } from '../../engine/journal.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { EventWatch, OrderWatch } from '../tracking/tracker-state.ts'
import type { CitedCall, SeenReading } from '../tracking/order-reading.ts'

/** One exchange between the subject and Sparring. */
export interface SeenExchange {
  readonly kind: 'exchange'
  readonly exchange: Exchange
  readonly operation: OperationId | undefined
  /** The caller: the subject or Sparring. */
  readonly by: 'subject' | 'sparring'
  /** In session time. */
  readonly began: Instant
  readonly ended: Instant
  readonly orderId: string | undefined
  /** The tracked order; undefined if unknown. */
  readonly order: OrderWatch | undefined
  /** HTTP status; 0 without a reply: hung, reset, cut off or unreachable. */
  readonly status: number
  /** 2xx with a complete body. */
  readonly ok: boolean
  /** Status in the reply to a GET of an order. */
  readonly orderStatus: OrderStatus | undefined
  /** A fault distorted it. */
  readonly faulted: boolean
  /** JSON of the request body, parsed on demand; undefined if there is none. */
  asked(): unknown
  /** JSON of the reply body; undefined if there is none. */
  answered(): unknown
  /** A request header, by its lower-case name. */
  header(name: string): string | undefined
  /** A reply header, by its lower-case name. */
  answerHeader(name: string): string | undefined
  /** Events that an acknowledgment names; undefined if its body is no list. */
  named(): readonly NamedEvent[] | undefined
  /** The same from the host's record, for an accepted acknowledgment; undefined where the body must be parsed. */
  heard(): readonly NamedEvent[] | undefined
  /** Events of a poll from the host's record; undefined where the body must be parsed. */
  brought(): readonly EventWatch[] | undefined
  /** The retainable part of a GET; one shared object. */
  reading(): SeenReading
  /** Evidence; may be retained, since it holds no bodies. */
  readonly cite: CitedCall
}

/** An event that an acknowledgment names. */
export interface NamedEvent {
  /** The id on the wire. */
  readonly id: string
  /** The host's id: under a fault each poll may use another alias. */
  readonly eventId: string
  /** Undefined if never emitted, or evicted. */
  readonly event: EventWatch | undefined
}

/** A handover: a poll returned the event completely, or its webhook was sent completely. */
export interface SeenHandover {
  readonly kind: 'handover'
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** Tracked order and event, where known. */
  readonly order: OrderWatch | undefined
  readonly event: EventWatch | undefined
  readonly createdAt: string | undefined
  readonly channel: 'polling' | 'webhook'
  readonly at: Instant
  /** How many times the event was handed over so far, on any channel, from 1. */
  readonly nth: number
  /** Position within its poll, from 0. */
  readonly place: number
  readonly exchange: SeenExchange
}

/**
 * The subject accepted responsibility for an event: its acknowledgment was accepted, or it answered the webhook 2xx.
 */
export interface SeenAcknowledgment {
  readonly kind: 'acknowledgment'
  readonly eventId: string
  /** Undefined if no such event was emitted. */
  readonly eventType: string | undefined
  readonly orderId: string | undefined
  readonly order: OrderWatch | undefined
  readonly channel: 'polling' | 'webhook'
  readonly at: Instant
  readonly exchange: SeenExchange
}

export interface SeenFact {
  readonly kind: 'fact'
  readonly entry: Entry
  readonly fact: Fact
  readonly at: Instant
}

/** The status that the subject itself reports of an order, where it can be probed. */
export interface SeenProbe {
  readonly kind: 'probe'
  readonly orderId: string
  /** Undefined if the subject does not know the order. */
  readonly status: string | undefined
  readonly at: Instant
}
