/**
 * What has happened in our world: the only thing that changes it, and what the journal holds. Each variant says in a
 * sentence what happened; screens and logs use these kinds as they stand.
 */
import type { ItemCancellation } from '../protocol/orders/cancellation.ts'
import type { OrderEventType } from '../protocol/orders/events.ts'
import type { Item as OrderItem } from '../protocol/orders/items.ts'
import type { OrderTrigger, ProgressionTrigger } from '../protocol/orders/lifecycle.ts'
import type { Order, OrderStatus } from '../protocol/orders/order.ts'
import type { Total } from '../protocol/orders/payments.ts'
import type { V1EventType } from '../protocol/v1/events.ts'
import type { Role } from '../protocol/role.ts'
import type { EditWord, KeptEvent } from './agenda/edits.ts'
import type { Announcement } from './announcements/announcement.ts'
import type { AuthFact } from './auth/fact.ts'
import type { Call, CallIntent } from './calls/call.ts'
import type { PartnerFact } from './calls/partner-fact.ts'
import type { Amendment, CancellationAnswer, Command } from './command.ts'
import type { FaultFact } from './faults/fact.ts'
import type { PauseFact } from './pauses/pause.ts'
import type { CustomerFact } from './customer/fact.ts'
import type { IndoorFact } from './indoor/fact.ts'
import type { Instant } from './instant.ts'
import type { Item } from './agenda/item.ts'
import type { TicketFact } from './orders/ticket-fact.ts'
import type { LogisticsFact } from './logistics/fact.ts'
import type { LoyaltyFact } from './loyalty/fact.ts'
import type { PlaybackFact } from './playback/fact.ts'
import type { Refusal } from './refusal.ts'
import type { V1Fact } from './v1/fact.ts'

/** A type of event that the protocol does not know. */
export type UnknownEventType = `X_${string}`

/** An event as the Ordering Application emitted it; its address is added when it is handed over. */
export interface EmittedEvent {
  readonly eventId: string
  readonly eventType: OrderEventType | V1EventType | UnknownEventType
  readonly orderId: string
  readonly merchantId: string
  readonly createdAt: string
  readonly sourceAppId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Fields that the protocol does not know, put in by somebody's hand. */
  readonly more?: Readonly<Record<string, unknown>>
}

export type Channel = 'polling' | 'webhook'

export type SessionFact =
  /** The session began. */
  { readonly kind: 'session.opened'; readonly roles: readonly Role[] }

/** A fact that came of somebody's hand carries the number of its step: what has the same one is undone together. */
interface ByHand {
  readonly step?: number
}

export type AgendaFact =
  /** Something will happen. */
  | ({ readonly kind: 'agenda.planned'; readonly item: Item } & ByHand)
  /** An item came due and was taken off the agenda. */
  | { readonly kind: 'agenda.taken'; readonly id: number; readonly command: Command }
  /** An item came due, and the world would not have its command. */
  | {
      readonly kind: 'agenda.refused'
      readonly id: number
      readonly command: string
      readonly refusal: Refusal
    }
  /** Somebody took an item's due time away. */
  | ({ readonly kind: 'agenda.held'; readonly id: number; readonly command: Command } & ByHand)
  /** Somebody gave a held item its due time back. */
  | ({
      readonly kind: 'agenda.released'
      readonly id: number
      readonly command: Command
      readonly due: Instant
      /** Its new place among those that came due with it. */
      readonly rank?: number
    } & ByHand)
  /** Somebody removed an item. */
  | ({ readonly kind: 'agenda.dropped'; readonly id: number; readonly command: Command } & ByHand)
  /** Somebody put an item off. */
  | ({
      readonly kind: 'agenda.delayed'
      readonly id: number
      readonly command: Command
      readonly due: Instant
      readonly rank?: number
    } & ByHand)
  /** Somebody changed the order of items: each of these has a new place. */
  | ({
      readonly kind: 'agenda.moved'
      readonly id: number
      readonly command: Command
      readonly places: readonly {
        readonly id: number
        readonly due: Instant
        readonly rank: number
      }[]
      /** All of them were meant, not only the one. */
      readonly all?: true
    } & ByHand)
  /** Somebody changed what an item will do. */
  | ({ readonly kind: 'agenda.edited'; readonly id: number; readonly command: Command } & ByHand)
  /** What was done by hand was undone, or done again: these items and events are so now, and these items are no more. */
  | {
      readonly kind: 'agenda.undone' | 'agenda.redone'
      readonly word: EditWord
      readonly items: readonly Item[]
      readonly removed: readonly number[]
      /** Taken meanwhile: they stay what they have become. */
      readonly gone: readonly number[]
      readonly events: readonly { readonly eventId: string; readonly event: KeptEvent }[]
      /** So many steps before it could not be undone any more, and are forgotten. */
      readonly forgotten?: number
    }

export type OrderFact =
  /** An order came to be at the Ordering Application. */
  | {
      readonly kind: 'order.created'
      readonly order: Order
      /** The n-th that the Ordering Application made of its own accord. */
      readonly arrival?: number
    }
  /** A lifecycle call was accepted for later. */
  | {
      readonly kind: 'order.requested'
      readonly orderId: string
      readonly trigger: ProgressionTrigger
    }
  /** An order changed its status. */
  | {
      readonly kind: 'order.moved'
      readonly orderId: string
      readonly trigger: OrderTrigger
      readonly from: OrderStatus
      readonly to: OrderStatus
      /** Against the lifecycle, by somebody's hand. */
      readonly forced?: true
    }
  /** An accepted call came to nothing: the order had moved on meanwhile. */
  | {
      readonly kind: 'order.lapsed'
      readonly orderId: string
      readonly trigger: OrderTrigger
      readonly status: OrderStatus
    }
  /** A courier's news was taken. */
  | { readonly kind: 'order.tracked'; readonly orderId: string; readonly update: unknown }
  /** The merchant said more of the order. */
  | { readonly kind: 'order.amended'; readonly orderId: string; readonly details: Amendment }
  /** The merchant asked to cancel the order. */
  | {
      readonly kind: 'cancellation.requested'
      readonly orderId: string
      readonly code?: string
      readonly reason?: string
    }
  /** The Ordering Application answered such a request. */
  | {
      readonly kind: 'cancellation.answered'
      readonly orderId: string
      readonly answer: CancellationAnswer
    }
  /** A cancel of a line was accepted for later. */
  | {
      readonly kind: 'item.cancel-requested'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }
  /** A line, or a part of it, was cancelled; these are the lines, the totals and the payments since. */
  | {
      readonly kind: 'item.cancelled'
      readonly orderId: string
      readonly itemId: string
      readonly quantity: number
      readonly items: readonly OrderItem[]
      readonly total: Total
      readonly payments: Order['payments']
    }

export type EventFact =
  /** The Ordering Application announced something. */
  | { readonly kind: 'event.emitted'; readonly event: EmittedEvent }
  /** The host of another capability announced something. */
  | { readonly kind: 'event.announced'; readonly event: Announcement }
  /** Somebody changed fields of an event. */
  | {
      readonly kind: 'event.altered'
      readonly eventId: string
      readonly change: Readonly<Record<string, unknown>>
      /** It came of somebody's hand, as this step. */
      readonly step?: number
    }
  /** An event lies where polls see it. */
  | { readonly kind: 'event.offered'; readonly eventId: string }
  /** A poll was answered with these events; `names` are what it called them, where they have fresh ids in every poll. */
  | {
      readonly kind: 'events.polled'
      readonly eventIds: readonly string[]
      readonly names?: readonly string[]
    }
  /** Polled events were acknowledged; `filtered` when the host did so for a client that filters them out. */
  | {
      readonly kind: 'events.acknowledged'
      readonly eventIds: readonly string[]
      readonly unknown?: readonly string[]
      readonly filtered?: true
    }
  /** A webhook was taken by its receiver. */
  | {
      readonly kind: 'event.pushed'
      readonly eventId: string
      readonly attempt: number
      readonly status: number
    }
  /** A webhook was not taken. */
  | {
      readonly kind: 'event.push-failed'
      readonly eventId: string
      readonly attempt: number
      readonly because: string
      readonly requestId: string
      /** Whether the retry plan applies. */
      readonly retry: boolean
      readonly retryAfterMs?: number
    }
  /** A webhook waits until its receiver may be called. */
  | { readonly kind: 'event.waiting'; readonly eventId: string; readonly attempt: number }
  /** The retry plan is at its end: the event will not be sent again. */
  | { readonly kind: 'event.given-up'; readonly eventId: string; readonly attempts: number }

export type CallFact =
  /** A role that we play calls another one: the exchange is under way. */
  | { readonly kind: 'call.placed'; readonly call: Call }
  /** A call came to its end. */
  | {
      readonly kind: 'call.concluded'
      readonly call: Call
      readonly outcome: string
      readonly ok: boolean
      /** A later try may fare better. */
      readonly retry: boolean
      readonly retryAfterMs?: number
    }
  /** A call waits: its receiver's manifest, valid once, is not at the moment. */
  | { readonly kind: 'call.postponed'; readonly call: CallIntent }

export type Fact =
  | SessionFact
  | AgendaFact
  | OrderFact
  | EventFact
  | TicketFact
  | AuthFact
  | CallFact
  | PartnerFact
  | IndoorFact
  | LogisticsFact
  | CustomerFact
  | LoyaltyFact
  | V1Fact
  | FaultFact
  | PauseFact
  | PlaybackFact
