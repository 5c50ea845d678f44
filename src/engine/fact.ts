/**
 * A fact: something that has happened in our world. Only facts change the world, and the journal consists of them;
 * screens and logs show these kinds unchanged.
 */
import type { ItemCancellation } from '../protocol/orders/cancellation.ts'
import type { OrderItem } from '../protocol/orders/items.ts'
import type { OrderTrigger, ProgressionTrigger } from '../protocol/orders/lifecycle.ts'
import type { Order, OrderStatus } from '../protocol/orders/order.ts'
import type { OrderTotal } from '../protocol/orders/payments.ts'
import type { Role } from '../protocol/role.ts'
import type { Announcement } from './announcements/announcement.ts'
import type { AuthFact } from './auth/fact.ts'
import type { OutgoingCall, CallIntent } from './calls/call.ts'
import type { PartnerFact } from './calls/partner-fact.ts'
import type { Amendment, CancellationAnswer, Command } from './command.ts'
import type { FaultFact } from './faults/fact.ts'
import type { SettingChange } from './configured/setting-change.ts'
import type { PauseFact } from './pauses/pause.ts'
import { customerFacts } from './customer/facts.ts'
import { accountFacts } from './indoor/account-facts.ts'
import { tableFacts } from './indoor/table-facts.ts'
import type { Instant } from './instant.ts'
import type { AgendaItem } from './agenda/item.ts'
import type { TicketFact } from './orders/ticket-fact.ts'
import type { LogisticsFact } from './logistics/fact.ts'
import type { LoyaltyFact } from './loyalty/fact.ts'
import type { PlaybackFact } from './playback/fact.ts'
import type { Refusal } from './refusal.ts'
import type { FactIn, FactRow } from './fact-row.ts'
import { v1Facts } from './v1/facts.ts'
import type { EmittedEvent } from './emitted-event.ts'
import type { EditKind, StoredEvent } from './agenda/edit.ts'

export type SessionFact =
  /** The session began. */
  | { readonly kind: 'session.opened'; readonly roles: readonly Role[] }
  /** Settings were changed. */
  | { readonly kind: 'session.configured'; readonly changes: readonly SettingChange[] }

/** A fact caused by hand carries the number of its undo step: facts of one step are undone together. */
interface UndoStep {
  readonly step?: number
}

export type AgendaFact =
  /** An item was planned. */
  | ({ readonly kind: 'agenda.planned'; readonly item: AgendaItem } & UndoStep)
  /** An item came due and was taken off the agenda. */
  | { readonly kind: 'agenda.taken'; readonly id: number; readonly command: Command }
  /** An item came due and its command was refused. */
  | {
      readonly kind: 'agenda.refused'
      readonly id: number
      readonly command: string
      readonly refusal: Refusal
    }
  /** An item was held. */
  | ({ readonly kind: 'agenda.held'; readonly id: number; readonly command: Command } & UndoStep)
  /** A held item was released. */
  | ({
      readonly kind: 'agenda.released'
      readonly id: number
      readonly command: Command
      readonly due: Instant
      /** Its new rank among items of the same due instant. */
      readonly rank?: number
    } & UndoStep)
  /** An item was dropped. */
  | ({ readonly kind: 'agenda.dropped'; readonly id: number; readonly command: Command } & UndoStep)
  /** An item was postponed. */
  | ({
      readonly kind: 'agenda.delayed'
      readonly id: number
      readonly command: Command
      readonly due: Instant
      readonly rank?: number
    } & UndoStep)
  /** Items were reordered: each of these has a new position. */
  | ({
      readonly kind: 'agenda.moved'
      readonly id: number
      readonly command: Command
      readonly places: readonly {
        readonly id: number
        readonly due: Instant
        readonly rank: number
      }[]
      /** All of them were named by the command, not only the one. */
      readonly all?: true
    } & UndoStep)
  /** The command of an item was edited. */
  | ({ readonly kind: 'agenda.edited'; readonly id: number; readonly command: Command } & UndoStep)
  /**
   * A step by hand was undone or redone: these items and events have these values now, and the removed items are gone.
   */
  | {
      readonly kind: 'agenda.undone' | 'agenda.redone'
      readonly word: EditKind
      readonly items: readonly AgendaItem[]
      readonly removed: readonly number[]
      /** Items taken meanwhile: they are left as they are. */
      readonly gone: readonly number[]
      readonly events: readonly { readonly eventId: string; readonly event: StoredEvent }[]
      /** Number of later steps that could no longer be undone and were skipped. */
      readonly forgotten?: number
    }

export type OrderFact =
  /** An order was created at the Ordering Application. */
  | {
      readonly kind: 'order.created'
      readonly order: Order
      /** Index of an order that the Ordering Application created by itself, from 1. */
      readonly arrival?: number
    }
  /** A lifecycle call was accepted; it takes effect later. */
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
      /** Against the lifecycle, by force. */
      readonly forced?: true
    }
  /** An accepted call had no effect: the order had moved on meanwhile. */
  | {
      readonly kind: 'order.lapsed'
      readonly orderId: string
      readonly trigger: OrderTrigger
      readonly status: OrderStatus
    }
  /** A tracking update of the courier was recorded. */
  | { readonly kind: 'order.tracked'; readonly orderId: string; readonly update: unknown }
  /** The merchant added details to the order. */
  | { readonly kind: 'order.amended'; readonly orderId: string; readonly details: Amendment }
  /** The merchant requested cancellation of the order. */
  | {
      readonly kind: 'cancellation.requested'
      readonly orderId: string
      readonly code?: string
      readonly reason?: string
    }
  /** The Ordering Application answered a cancellation request. */
  | {
      readonly kind: 'cancellation.answered'
      readonly orderId: string
      readonly answer: CancellationAnswer
    }
  /** A cancellation of an order line was accepted; it takes effect later. */
  | {
      readonly kind: 'item.cancel-requested'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }
  /** An order line, or a part of it, was cancelled; items, total and payments are the new values. */
  | {
      readonly kind: 'item.cancelled'
      readonly orderId: string
      readonly itemId: string
      readonly quantity: number
      readonly items: readonly OrderItem[]
      readonly total: OrderTotal
      readonly payments: Order['payments']
    }

export type EventFact =
  /** The Ordering Application emitted an event. */
  | { readonly kind: 'event.emitted'; readonly event: EmittedEvent }
  /** The host of another capability announced an event. */
  | { readonly kind: 'event.announced'; readonly event: Announcement }
  /** Fields of an event were changed. */
  | {
      readonly kind: 'event.altered'
      readonly eventId: string
      readonly change: Readonly<Record<string, unknown>>
      /** The undo step, when changed by hand. */
      readonly step?: number
    }
  /** An event was put into the mailbox for polls. */
  | { readonly kind: 'event.offered'; readonly eventId: string }
  /**
   * A poll was answered with these events; `names` are the ids used in that answer, where every poll gets fresh ids.
   */
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
  /** A webhook was accepted by its receiver. */
  | {
      readonly kind: 'event.pushed'
      readonly eventId: string
      readonly attempt: number
      readonly status: number
    }
  /** A webhook failed. */
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
  /** The retry plan is exhausted: the event will not be sent again. */
  | { readonly kind: 'event.given-up'; readonly eventId: string; readonly attempts: number }

export type CallFact =
  /** A role that we play placed a call; it is in flight. */
  | { readonly kind: 'call.placed'; readonly call: OutgoingCall }
  /** A call ended. */
  | {
      readonly kind: 'call.concluded'
      readonly call: OutgoingCall
      readonly outcome: string
      readonly ok: boolean
      /** The call will be retried. */
      readonly retry: boolean
      readonly retryAfterMs?: number
    }
  /** A call was postponed: its receiver's manifest was valid once and is invalid now. */
  | { readonly kind: 'call.postponed'; readonly call: CallIntent }

/** All facts that are rows, by kind. */
export const factRows = { ...accountFacts, ...tableFacts, ...v1Facts, ...customerFacts }

export type RowFact = FactIn<typeof factRows>

export const isRowFact = (fact: Fact): fact is RowFact => fact.kind in factRows

export const rowOfFact = ({ kind }: RowFact): FactRow<RowFact> => factRows[kind] as FactRow<RowFact>

export type Fact =
  | SessionFact
  | AgendaFact
  | OrderFact
  | EventFact
  | TicketFact
  | AuthFact
  | CallFact
  | PartnerFact
  | LogisticsFact
  | LoyaltyFact
  | RowFact
  | FaultFact
  | PauseFact
  | PlaybackFact
