/** What an invariant is shown, one thing at a time, in the order in which it came to its end. */
import type { Entry } from '../../engine/journal.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { EventWatch, OrderWatch } from '../tracking/tracker-state.ts'
import type { CitedCall, SeenReading } from '../tracking/order-reading.ts'

/** One exchange between the subject and us, with what everybody wants to know of it read out once. */
export interface SeenExchange {
  readonly kind: 'exchange'
  readonly exchange: Exchange
  readonly operation: OperationId | undefined
  /** Who asked: the subject called us, or we called the subject. */
  readonly by: 'subject' | 'sparring'
  /** In the session's time. */
  readonly began: Instant
  readonly ended: Instant
  readonly orderId: string | undefined
  /** The order of that id, looked up once for everybody; undefined where nobody has heard of it. */
  readonly order: OrderWatch | undefined
  /** 0 when there was no answer: it was hung, reset, cut, or nobody was there. */
  readonly status: number
  /** 2xx, and whole. */
  readonly ok: boolean
  /** What the answer to a GET of an order says that it is. */
  readonly orderStatus: OrderStatus | undefined
  /** A fault of ours distorted it. */
  readonly faulted: boolean
  /** The JSON of the request; undefined when there is none. Read when it is first asked for. */
  asked(): unknown
  /** The JSON of the answer; undefined when there is none. */
  answered(): unknown
  /** A header of the request, by its name in lower case. */
  header(name: string): string | undefined
  /** A header of the answer, by its name in lower case. */
  answerHeader(name: string): string | undefined
  /** The events that its request lists, of an acknowledgment; undefined when that is no list. */
  named(): readonly NamedEvent[] | undefined
  /** The same of one that was accepted; undefined where nobody knows but who reads it. */
  heard(): readonly NamedEvent[] | undefined
  /** The events that a poll brought, where it says of them what is known; undefined where nobody knows but who reads it. */
  brought(): readonly EventWatch[] | undefined
  /** What may be kept of a reading: the same for everybody. */
  reading(): SeenReading
  /** May be kept: it holds on to what its line says, which is made when somebody reads it, and not to the bodies. */
  readonly cite: CitedCall
}

/** An event that an acknowledgment names, looked up once for everybody. */
export interface NamedEvent {
  /** As it is written there. */
  readonly id: string
  /** As the host knows it: some hosts call an event by another id in each poll. */
  readonly eventId: string
  /** Undefined when nobody has emitted it, or nobody remembers that. */
  readonly event: EventWatch | undefined
}

/** An event reached the subject: a poll brought it whole, or its webhook was sent whole. */
export interface SeenHandover {
  readonly kind: 'handover'
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** Both as they are known, looked up once for everybody. */
  readonly order: OrderWatch | undefined
  readonly event: EventWatch | undefined
  readonly createdAt: string | undefined
  readonly channel: 'polling' | 'webhook'
  readonly at: Instant
  /** The n-th time that this event reached it, on whatever channel, from 1. */
  readonly nth: number
  /** Where in its batch it stood, from 0. */
  readonly place: number
  readonly exchange: SeenExchange
}

/** The subject took responsibility for an event: its acknowledgment was accepted, or it answered the webhook 2xx. */
export interface SeenAcknowledgment {
  readonly kind: 'acknowledgment'
  readonly eventId: string
  /** Undefined when no such event was ever emitted. */
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

/** What the subject itself says of an order, where it lets somebody look. */
export interface SeenProbe {
  readonly kind: 'probe'
  readonly orderId: string
  /** Undefined when it knows of no such order. */
  readonly status: string | undefined
  readonly at: Instant
}
