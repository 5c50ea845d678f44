/** Commands of the Software Service about orders. */
import { z } from 'zod'
import { CancellationRequest, ItemCancellation } from '../../protocol/orders/cancellation.ts'
import { OrderEvent } from '../../protocol/orders/event.ts'
import { progressionTriggers } from '../../protocol/orders/lifecycle.ts'
import { type CommandIn, commandRow, idField, trueField } from '../command-row.ts'

export const ticketCommands = {
  /** The Software Service received an event by webhook. */
  'ticket.notify': commandRow({
    shape: () => ({ event: OrderEvent }),
    text: ({ event }) => `${event.eventType} reaches SS`,
    orderId: ({ event }) => event.orderId,
  }),
  /** The Software Service takes the next step of an order, if allowed. */
  'ticket.advance': commandRow({
    shape: () => ({
      orderId: idField,
      trigger: z.enum(progressionTriggers),
      /** Calls even where the lifecycle has no such transition. */
      force: trueField,
    }),
    text: ({ trigger, force }) => `SS ${trigger}${force ? ', out of turn' : ''}`,
  }),
  /** The Software Service reads the order again, unless news of it came meanwhile. */
  'ticket.reconcile': commandRow({
    shape: () => ({ orderId: idField, round: z.int().min(0) }),
    text: () => 'SS reads the order',
  }),
  /** The Software Service requests cancellation of the order. */
  'ticket.cancel': commandRow({
    shape: () => ({ orderId: idField, request: CancellationRequest }),
    text: () => 'SS asks to cancel',
  }),
  /** The Software Service cancels an order line. */
  'ticket.cancel-item': commandRow({
    shape: () => ({ orderId: idField, itemId: idField, cancellation: ItemCancellation }),
    text: ({ itemId }) => `SS cancels item ${itemId}`,
  }),
}

export type TicketCommand = CommandIn<typeof ticketCommands>
