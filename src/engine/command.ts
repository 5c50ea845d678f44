/**
 * A command: a request to change the world. An HTTP request, a key press, a scenario step and a due agenda item all
 * become commands.
 */
import type { CancellationRequest, ItemCancellation } from '../protocol/orders/cancellation.ts'
import type { OrderEventType } from '../protocol/orders/events.ts'
import type { OrderEvent } from '../protocol/orders/event.ts'
import type { OrderTrigger, ProgressionTrigger } from '../protocol/orders/lifecycle.ts'
import type { Order } from '../protocol/orders/order.ts'
import type { TrackingUpdate } from '../protocol/orders/tracking.ts'
import type { Role } from '../protocol/role.ts'
import type { AuthCommand } from './auth/command.ts'
import type { SettingChange } from './configured/setting-change.ts'
import type { CallIntent, CallOutcome } from './calls/call.ts'
import type { FaultCommand } from './faults/command.ts'
import type { PauseCommand } from './pauses/pause.ts'
import { customerCommands } from './customer/commands.ts'
import { indoorCommands } from './indoor/commands.ts'
import type { LogisticsCommand } from './logistics/command.ts'
import type { LoyaltyCommand } from './loyalty/command.ts'
import type { PlaybackCommand } from './playback/command.ts'
import type { CommandIn, CommandRow } from './command-row.ts'
import { v1Commands } from './v1/commands.ts'
import type { UnknownEventType } from './emitted-event.ts'

/** The Ordering Application's answer to a cancellation request; `open` leaves it unanswered. */
export type CancellationAnswer = 'accept' | 'deny' | 'open'

export type SessionCommand =
  /** Opens the session: the counterparts start their behaviour. */
  | { readonly kind: 'session.open' }
  /** Changes settings of the running session; whoever submits it has checked them. */
  | { readonly kind: 'session.configure'; readonly changes: readonly SettingChange[] }

/** An edit that concerns a single item: several of them can form one undo step. */
export type ItemEdit =
  /** Holds an item: it no longer comes due. */
  | { readonly kind: 'agenda.hold'; readonly id: number }
  /** Releases a held item: due at its former time, or now if that is past. */
  | { readonly kind: 'agenda.release'; readonly id: number }
  /** Removes an item without running it. */
  | { readonly kind: 'agenda.drop'; readonly id: number }
  /** Copies an item right behind the original. */
  | { readonly kind: 'agenda.duplicate'; readonly id: number }
  /** Postpones an item. */
  | { readonly kind: 'agenda.delay'; readonly id: number; readonly byMs: number }

export type AgendaCommand =
  | ItemEdit
  /** Plans a command by hand. */
  | { readonly kind: 'agenda.plan'; readonly command: Command; readonly afterMs: number }
  /** Moves an item one position, or to the position of another item. */
  | {
      readonly kind: 'agenda.move'
      readonly id: number
      readonly to: 'earlier' | 'later' | { readonly place: number }
    }
  /** Changes fields of the item's command. */
  | {
      readonly kind: 'agenda.edit'
      readonly id: number
      readonly change: Readonly<Record<string, unknown>>
    }
  /** Puts items into this order: they exchange the positions that they have. */
  | { readonly kind: 'agenda.arrange'; readonly order: readonly number[] }
  /** Several edits at once, all or none; undone as one step. */
  | { readonly kind: 'agenda.batch'; readonly edits: readonly ItemEdit[] }
  /** Undoes the last edit by hand; `past` skips steps that can no longer be undone. */
  | { readonly kind: 'agenda.undo'; readonly past?: true }
  /** Redoes the last undone step. */
  | { readonly kind: 'agenda.redo'; readonly past?: true }

/** Details that a merchant may add to an order later. */
export interface Amendment {
  readonly preparationStartDateTime?: string | undefined
  readonly observations?: string | undefined
}

export type OrderCommand =
  /** Creates an order at the Ordering Application and announces it. */
  | {
      readonly kind: 'order.create'
      readonly order: Order
      /** Index of an order that the Ordering Application created by itself, from 1. */
      readonly arrival?: number
    }
  /** A lifecycle call: if valid, it is accepted now and takes effect later. */
  | {
      readonly kind: 'order.request'
      readonly orderId: string
      readonly trigger: ProgressionTrigger
    }
  /** The effect of an accepted call; also how the Ordering Application moves its own orders. */
  | {
      readonly kind: 'order.apply'
      readonly orderId: string
      readonly trigger: OrderTrigger
      /** For a cancellation: the metadata of the event. */
      readonly metadata?: Readonly<Record<string, unknown>>
      /** Emits no event, where the order's profile does not require one. */
      readonly quiet?: true
      /** Moves the order even where the lifecycle has no such transition. */
      readonly force?: true
    }
  /** Records a tracking update of the courier; the status stays. */
  | { readonly kind: 'order.track'; readonly orderId: string; readonly update: TrackingUpdate }
  /** The merchant adds details to an order: when preparation starts, a remark. */
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
  /** The Ordering Application answers a cancellation request. */
  | {
      readonly kind: 'cancellation.answer'
      readonly orderId: string
      readonly answer: CancellationAnswer
    }
  /** Requests to cancel an order line, or a part of it: takes effect later. */
  | {
      readonly kind: 'item.request-cancel'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }
  /** The effect of an accepted item cancellation. */
  | {
      readonly kind: 'item.cancel'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }

export type EventCommand =
  /** Emits an event without a transition: an informational one, or any one by force. */
  | {
      readonly kind: 'event.emit'
      readonly orderId: string
      readonly eventType: OrderEventType
      readonly metadata?: Readonly<Record<string, unknown>>
      readonly force?: true
    }
  /** Emits an event of a type unknown to the protocol, as a later version might have. */
  | {
      readonly kind: 'event.invent'
      readonly orderId: string
      readonly eventType: UnknownEventType
    }
  /** Changes fields of an emitted event, for every handover from now on. */
  | {
      readonly kind: 'event.alter'
      readonly eventId: string
      readonly change: Readonly<Record<string, unknown>>
    }
  /** Puts an emitted event into the mailbox for polls. */
  | { readonly kind: 'event.offer'; readonly eventId: string }
  /** Sends an emitted event to the receiver's webhook. */
  | {
      readonly kind: 'event.push'
      readonly eventId: string
      readonly attempt: number
      /** X-Request-Id of the earlier attempts: shared by all attempts of one push, not by two pushes of one event. */
      readonly requestId?: string
    }
  /** A poll. */
  | {
      readonly kind: 'events.poll'
      readonly eventTypes?: readonly string[]
      readonly merchants?: readonly string[]
    }
  /** An acknowledgment of polled events. */
  | { readonly kind: 'events.acknowledge'; readonly eventIds: readonly string[] }

export type TicketCommand =
  /** The Software Service received an event by webhook. */
  | { readonly kind: 'ticket.notify'; readonly event: OrderEvent }
  /** The Software Service takes the next step of an order, if allowed. */
  | {
      readonly kind: 'ticket.advance'
      readonly orderId: string
      readonly trigger: ProgressionTrigger
      /** Calls even where the lifecycle has no such transition. */
      readonly force?: true
    }
  /** The Software Service reads the order again, unless news of it came meanwhile. */
  | { readonly kind: 'ticket.reconcile'; readonly orderId: string; readonly round: number }
  /** The Software Service requests cancellation of the order. */
  | {
      readonly kind: 'ticket.cancel'
      readonly orderId: string
      readonly request: CancellationRequest
    }
  /** The Software Service cancels an order line. */
  | {
      readonly kind: 'ticket.cancel-item'
      readonly orderId: string
      readonly itemId: string
      readonly cancellation: ItemCancellation
    }

export type CallCommand =
  /** Accepts a counterpart without reading its manifest, by configuration. */
  | { readonly kind: 'partner.trust'; readonly from: Role; readonly partner: Role }
  /** A role that we play places a call. */
  | { readonly kind: 'call.place'; readonly call: CallIntent }
  /** A call ended: answered or failed. */
  | { readonly kind: 'call.conclude'; readonly callId: number; readonly outcome: CallOutcome }

/** All commands that are rows, by kind. */
export const commandRows = { ...indoorCommands, ...v1Commands, ...customerCommands }

export type RowCommand = CommandIn<typeof commandRows>

export const isRowCommand = (command: Command): command is RowCommand => command.kind in commandRows

export const rowOfCommand = ({ kind }: RowCommand): CommandRow<RowCommand> =>
  commandRows[kind] as CommandRow<RowCommand>

export type Command =
  | SessionCommand
  | AgendaCommand
  | OrderCommand
  | EventCommand
  | TicketCommand
  | AuthCommand
  | CallCommand
  | LogisticsCommand
  | LoyaltyCommand
  | RowCommand
  | FaultCommand
  | PauseCommand
  | PlaybackCommand

export type CommandKind = Command['kind']

/** The command of a kind. */
export type CommandOf<Kind extends CommandKind> = Extract<Command, { readonly kind: Kind }>
