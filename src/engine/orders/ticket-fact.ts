/** Facts of the Software Service as a client of Orders: `ticket.…`. */
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { Order, OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { EventChannel } from '../emitted-event.ts'

export type TicketFact =
  /** The Software Service stored a new event. */
  | {
      readonly kind: 'ticket.announced'
      readonly orderId: string
      readonly eventId: string
      readonly eventType: string
      readonly channel: EventChannel
    }
  /** A duplicate event was ignored. */
  | {
      readonly kind: 'ticket.event-repeated'
      readonly eventId: string
      readonly channel: EventChannel
    }
  /** An event that the order's profile forbids was received; by webhook it was rejected. */
  | {
      readonly kind: 'ticket.event-forbidden'
      readonly orderId: string
      readonly eventId: string
      readonly eventType: string
      readonly channel: EventChannel
    }
  /** A poll was answered, with these events. */
  | {
      readonly kind: 'ticket.polled'
      readonly eventIds: readonly string[]
      /** The Retry-After of the host, in milliseconds. */
      readonly pauseMs?: number
    }
  /** The Software Service read the order. */
  | {
      readonly kind: 'ticket.read'
      readonly orderId: string
      readonly status: OrderStatus
      readonly lastEvent?: string
      readonly profile: OrderType
      readonly order: Order
    }
  /** The Software Service made a request: its call is in flight. */
  | {
      readonly kind: 'ticket.asked'
      readonly orderId: string
      readonly trigger: ProgressionTrigger | 'cancel' | 'cancel-item'
    }
  /** The counterpart accepted the call; its effect comes later. */
  | {
      readonly kind: 'ticket.accepted'
      readonly orderId: string
      readonly trigger: ProgressionTrigger | 'cancel' | 'cancel-item'
    }
  /** The counterpart refused the call. */
  | {
      readonly kind: 'ticket.refused'
      readonly orderId: string
      readonly trigger: ProgressionTrigger | 'cancel' | 'cancel-item' | 'read'
      readonly because: string
    }
  /** The Software Service gave up on this order after too many reads without news. */
  | { readonly kind: 'ticket.stuck'; readonly orderId: string; readonly status?: OrderStatus }
