/** What invariants observe, one at a time, ordered by the end of each. */
import type { Instant } from '../../../engine/instant.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { OrderStatus } from '../../../protocol/orders/order.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import type { Moment } from '../tracking/service-clock.ts'
import type {
  CallEvidence,
  OrderSnapshot,
  TrackedEvent,
  TrackedOrder,
} from '../tracking/tracker-state.ts'

/**
 * One exchange between the subject and Sparring. Rules may keep it: once all have observed it, its bodies, its lists of events
 * and all headers that no rule asks for later are gone, and asking for a body is a bug.
 */
export interface ObservedExchange {
  readonly exchange: Exchange
  /** The operation by its V2 name: V1 calls are judged by the same rules. */
  readonly operation: OperationId | undefined
  /** The caller: the subject or Sparring. */
  readonly caller: 'subject' | 'sparring'
  /** In session time. */
  readonly began: Instant
  readonly ended: Instant
  /** The same moments, on the wall clock too. */
  readonly start: Moment
  readonly end: Moment
  readonly orderId: string | undefined
  /** The tracked order; undefined if unknown. */
  readonly order: TrackedOrder | undefined
  /** HTTP status; 0 without a reply: hung, reset, cut off or unreachable. */
  readonly status: number
  /** 2xx with a complete body. */
  readonly ok: boolean
  /** Status in the reply to a GET of an order; in V1, that of its last event. */
  readonly orderStatus: OrderStatus | undefined
  /** A fault distorted it. */
  readonly isFaulted: boolean
  /** The fault wrote its body in another way, and an event in another way is as valid as before. */
  readonly isRewritten: boolean
  /** JSON of the request body, parsed on demand; undefined if there is none. */
  requestJson(): unknown
  /** JSON of the reply body; undefined if there is none. */
  responseJson(): unknown
  /** A request header, by its lower-case name. */
  header(name: string): string | undefined
  /** A reply header, by its lower-case name. */
  responseHeader(name: string): string | undefined
  /** The order that the request body names. */
  readonly bodyOrderId: string | undefined
  /** Length and hash of the request body; undefined if there is none. */
  readonly requestFingerprint: string | undefined
  /** `retryable` in the error body (TRN-ERB-01); undefined if absent. */
  readonly retryable: boolean | undefined
  /** Events that an acknowledgment names; undefined if its body is no list. */
  namedEvents(): readonly ReferencedEvent[] | undefined
  /** The same from the host's record, for an accepted acknowledgment; undefined where the body must be parsed. */
  hostAcknowledgedEvents(): readonly ReferencedEvent[] | undefined
  /** Events of a poll from the host's record; undefined where the body must be parsed. */
  hostPolledEvents(): readonly TrackedEvent[] | undefined
  /** The retainable part of a GET; one shared object. */
  snapshot(): OrderSnapshot
  /** Evidence; may be retained, since it holds no bodies. */
  readonly evidence: CallEvidence
}

/** An event that an acknowledgment names. */
export interface ReferencedEvent {
  /** The id on the wire. */
  readonly id: string
  /** The host's id: under a fault each poll may use another alias. */
  readonly eventId: string
  /** Undefined if never emitted, or evicted. */
  readonly event: TrackedEvent | undefined
}

/** A handover: a poll returned the event completely, or its webhook was sent completely. */
export interface ObservedHandover {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** Tracked order and event, where known. */
  readonly order: TrackedOrder | undefined
  readonly event: TrackedEvent | undefined
  readonly createdAt: string | undefined
  readonly channel: 'polling' | 'webhook'
  readonly at: Instant
  /** How many times the event was handed over so far, on any channel, from 1. */
  readonly handoverNumber: number
  /** Position within its poll, from 0. */
  readonly place: number
  readonly exchange: ObservedExchange
}

/**
 * The subject accepted responsibility for an event: its acknowledgment was accepted, or it answered the webhook 2xx.
 */
export interface ObservedAcknowledgment {
  readonly eventId: string
  /** Undefined if no such event was emitted. */
  readonly eventType: string | undefined
  readonly orderId: string | undefined
  readonly order: TrackedOrder | undefined
  readonly channel: 'polling' | 'webhook'
  readonly at: Instant
  readonly exchange: ObservedExchange
}

/** The status that the subject itself reports of an order, where it can be probed. */
export interface ObservedProbe {
  readonly orderId: string
  /** Undefined if the subject does not know the order. */
  readonly status: string | undefined
  readonly at: Instant
}
