/**
 * What somebody asks our world to do. An HTTP request, a key, a scenario step and a due item are the same thing here:
 * a command, through one door. Each variant says in a sentence what it asks for.
 */
import type { CancellationRequest, ItemCancellation } from '../protocol/orders/cancellation.ts'
import type { OrderEventType } from '../protocol/orders/events.ts'
import type { OrderEvent } from '../protocol/orders/event.ts'
import type { OrderTrigger, ProgressionTrigger } from '../protocol/orders/lifecycle.ts'
import type { Order } from '../protocol/orders/order.ts'
import type { TrackingUpdate } from '../protocol/orders/tracking.ts'
import type { Role } from '../protocol/role.ts'
import type { AuthCommand } from './auth/command.ts'
import type { UnknownEventType } from './fact.ts'
import type { CallIntent, CallOutcome } from './calls/call.ts'
import type { FaultCommand } from './faults/command.ts'
import type { PauseCommand } from './pauses/pause.ts'
import type { CustomerCommand } from './customer/command.ts'
import type { IndoorCommand } from './indoor/command.ts'
import type { LogisticsCommand } from './logistics/command.ts'
import type { LoyaltyCommand } from './loyalty/command.ts'
import type { PlaybackCommand } from './playback/command.ts'
import type { V1Command } from './v1/command.ts'

/** What the Ordering Application says to a cancellation request; `open` leaves it unanswered. */
export type CancellationAnswer = 'accept' | 'deny' | 'open'

export type SessionCommand =
  /** Opens the session: the counterparts begin with their habits. */
  { readonly kind: 'session.open' }

/** An edit of one item that needs nothing of the others: several of them can be one step. */
export type ItemEdit =
  /** Takes an item's due time away. */
  | { readonly kind: 'agenda.hold'; readonly id: number }
  /** Gives a held item its due time back: what it was, or now. */
  | { readonly kind: 'agenda.release'; readonly id: number }
  /** Removes an item: it will not happen. */
  | { readonly kind: 'agenda.drop'; readonly id: number }
  /** Copies an item right behind itself. */
  | { readonly kind: 'agenda.duplicate'; readonly id: number }
  /** Puts an item off. */
  | { readonly kind: 'agenda.delay'; readonly id: number; readonly byMs: number }

export type AgendaCommand =
  | ItemEdit
  /** Puts a command on the agenda by hand. */
  | { readonly kind: 'agenda.plan'; readonly command: Command; readonly afterMs: number }
  /** Moves an item one place, or to the place of another. */
  | {
      readonly kind: 'agenda.move'
      readonly id: number
      readonly to: 'earlier' | 'later' | { readonly place: number }
    }
  /** Changes the command of an item: the fields given take the place of its own. */
  | {
      readonly kind: 'agenda.edit'
      readonly id: number
      readonly change: Readonly<Record<string, unknown>>
    }
  /** Puts items into this order: they share out the places that they have. */
  | { readonly kind: 'agenda.arrange'; readonly order: readonly number[] }
  /** Several edits at once, all or none: one step for whoever undoes it. */
  | { readonly kind: 'agenda.batch'; readonly edits: readonly ItemEdit[] }
  /** Undoes what was last done to the agenda by hand; `past` goes past what cannot be undone any more. */
  | { readonly kind: 'agenda.undo'; readonly past?: true }
  /** Does again what was undone last. */
  | { readonly kind: 'agenda.redo'; readonly past?: true }

/** What a merchant may say of an order later. */
export interface Amendment {
  readonly preparationStartDateTime?: string | undefined
  readonly observations?: string | undefined
}

export type OrderCommand =
  /** Makes an order at the Ordering Application and announces it. */
  | {
      readonly kind: 'order.create'
      readonly order: Order
      /** The n-th that the Ordering Application makes of its own accord. */
      readonly arrival?: number
    }
  /** A lifecycle call: accepted for later when it is lawful. */
  | {
      readonly kind: 'order.request'
      readonly orderId: string
      readonly trigger: ProgressionTrigger
    }
  /** The later that an accepted call was accepted for; also how the Ordering Application moves its own orders. */
  | {
      readonly kind: 'order.apply'
      readonly orderId: string
      readonly trigger: OrderTrigger
      /** For a cancellation: what the event says about it. */
      readonly metadata?: Readonly<Record<string, unknown>>
      /** Leaves out the event, where the profile does not demand it. */
      readonly quiet?: true
      /** Moves the order even where the lifecycle has no such row. */
      readonly force?: true
    }
  /** Takes a courier's news; the status stays. */
  | { readonly kind: 'order.track'; readonly orderId: string; readonly update: TrackingUpdate }
  /** The merchant says more of an order: when its preparation begins, a remark. */
  | {
      readonly kind: 'order.amend'
      readonly orderId: string
      readonly details: Amendment
    }
  /** The merchant asks to cancel the order. */
  | {
      readonly kind: 'cancellation.request'
      readonly orderId: string
      readonly request: CancellationRequest
    }
  /** The Ordering Application answers such a request. */
  | {
      readonly kind: 'cancellation.answer'
      readonly orderId: string
      readonly answer: CancellationAnswer
    }
  /** Cancels a line of an order or a part of it: accepted for later. */
  | {
      readonly kind: 'item.request-cancel'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }
  /** The later that an item cancel was accepted for. */
  | {
      readonly kind: 'item.cancel'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }

export type EventCommand =
  /** Emits an event that no transition brings: an informational one, or any, by force. */
  | {
      readonly kind: 'event.emit'
      readonly orderId: string
      readonly eventType: OrderEventType
      readonly metadata?: Readonly<Record<string, unknown>>
      readonly force?: true
    }
  /** Emits an event of a type that the protocol does not know, as a later version might. */
  | {
      readonly kind: 'event.invent'
      readonly orderId: string
      readonly eventType: UnknownEventType
    }
  /** Changes fields of an event that was emitted: whoever gets it from now on gets it so. */
  | {
      readonly kind: 'event.alter'
      readonly eventId: string
      readonly change: Readonly<Record<string, unknown>>
    }
  /** Puts an emitted event where polls see it. */
  | { readonly kind: 'event.offer'; readonly eventId: string }
  /** Sends an emitted event to the receiver's webhook. */
  | {
      readonly kind: 'event.push'
      readonly eventId: string
      readonly attempt: number
      /** The X-Request-Id of the attempts before: all of one push share it, two pushes of one event do not. */
      readonly requestId?: string
    }
  /** Somebody polls. */
  | {
      readonly kind: 'events.poll'
      readonly eventTypes?: readonly string[]
      readonly merchants?: readonly string[]
    }
  /** Somebody acknowledges polled events. */
  | { readonly kind: 'events.acknowledge'; readonly eventIds: readonly string[] }

export type TicketCommand =
  /** An event reached the Software Service, by webhook. */
  | { readonly kind: 'ticket.notify'; readonly event: OrderEvent }
  /** The Software Service takes the next step of an order, if it may. */
  | {
      readonly kind: 'ticket.advance'
      readonly orderId: string
      readonly trigger: ProgressionTrigger
      /** Calls even where the lifecycle has no such step. */
      readonly force?: true
    }
  /** The Software Service reads the order again, unless it has heard of it meanwhile. */
  | { readonly kind: 'ticket.reconcile'; readonly orderId: string; readonly round: number }
  /** The Software Service asks to cancel the order. */
  | {
      readonly kind: 'ticket.cancel'
      readonly orderId: string
      readonly request: CancellationRequest
    }
  /** The Software Service cancels a line. */
  | {
      readonly kind: 'ticket.cancel-item'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }

export type CallCommand =
  /** Takes a counterpart as active without its manifest, because the user said so. */
  | { readonly kind: 'partner.trust'; readonly from: Role; readonly partner: Role }
  /** A role that we play calls another one. */
  | { readonly kind: 'call.place'; readonly call: CallIntent }
  /** A call came to its end: answered, or failed on the way. */
  | { readonly kind: 'call.conclude'; readonly callId: number; readonly outcome: CallOutcome }

export type Command =
  | SessionCommand
  | AgendaCommand
  | OrderCommand
  | EventCommand
  | TicketCommand
  | AuthCommand
  | CallCommand
  | IndoorCommand
  | LogisticsCommand
  | CustomerCommand
  | LoyaltyCommand
  | V1Command
  | FaultCommand
  | PauseCommand
  | PlaybackCommand

export type CommandKind = Command['kind']
