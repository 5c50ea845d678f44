/** What has happened at the Software Service as a client of Orders: `ticket.…`. */
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { Order, OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { Channel } from '../fact.ts'

export type TicketFact =
  /** The Software Service stored an event that it had not seen. */
  | {
      readonly kind: 'ticket.announced'
      readonly orderId: string
      readonly eventId: string
      readonly eventType: string
      readonly channel: Channel
    }
  /** An event came again and was left alone. */
  | { readonly kind: 'ticket.event-repeated'; readonly eventId: string; readonly channel: Channel }
  /** An event that its order's profile forbids came; by webhook it was rejected. */
  | {
      readonly kind: 'ticket.event-forbidden'
      readonly orderId: string
      readonly eventId: string
      readonly eventType: string
      readonly channel: Channel
    }
  /** A poll came back; `events` is how many it brought. */
  | {
      readonly kind: 'ticket.polled'
      readonly eventIds: readonly string[]
      /** A pause that the host asked for. */
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
  /** The Software Service asked for something: the call for it is under way. */
  | {
      readonly kind: 'ticket.asked'
      readonly orderId: string
      readonly trigger: ProgressionTrigger | 'cancel' | 'cancel-item'
    }
  /** The counterpart took the call: the rest is for later. */
  | {
      readonly kind: 'ticket.accepted'
      readonly orderId: string
      readonly trigger: ProgressionTrigger | 'cancel' | 'cancel-item'
    }
  /** The counterpart would not have it. */
  | {
      readonly kind: 'ticket.refused'
      readonly orderId: string
      readonly trigger: ProgressionTrigger | 'cancel' | 'cancel-item' | 'read'
      readonly because: string
    }
  /** The Software Service has waited often enough for this order. */
  | { readonly kind: 'ticket.stuck'; readonly orderId: string; readonly status?: OrderStatus }
