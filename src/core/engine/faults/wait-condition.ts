/** Types of the wait conditions of agenda items. */
import type { EventChannel } from '../emitted-event.ts'

/** A condition as a fault states it, relative to now. */
export type WaitCondition =
  /**
   * Number of events handed over on the same channel: later ones of its order; without an order, any from now on. Events
   * are counted, not handovers: a duplicate, or the same event on the other channel, is no later event.
   */
  | {
      readonly kind: 'later-events'
      readonly handovers: number
      readonly eventId: string
      readonly channel: EventChannel
      readonly orderId?: string
    }
  | { readonly kind: 'acknowledged'; readonly eventId: string }
  /** The order has ended and its last event was handed over on the same channel. */
  | { readonly kind: 'order-ended'; readonly orderId: string; readonly channel: EventChannel }
  /** Number of polls from now on that returned events. */
  | { readonly kind: 'polled'; readonly polls: number }
  /** This many items of the same fault wait: then all of them are released. */
  | { readonly kind: 'gathered'; readonly items: number }

/** A condition as stored in an item: counts are absolute, from the start of the session. */
export type ItemWait = WaitCondition & {
  /** Maximum wait in milliseconds. */
  readonly atMostMs: number
}
