/** Types of the wait conditions of agenda items. */

/** A condition as a fault states it, relative to now. */
export type WaitCondition =
  /** Number of handovers: of later events of its order; without an order, of any events from now on. */
  | {
      readonly kind: 'past'
      readonly handovers: number
      readonly eventId: string
      readonly orderId?: string
    }
  | { readonly kind: 'acknowledged'; readonly eventId: string }
  /** The order has ended and its last event was handed over. */
  | { readonly kind: 'over'; readonly orderId: string }
  /** Number of polls from now on that returned events. */
  | { readonly kind: 'polled'; readonly polls: number }
  /** This many items of the same fault wait: then all of them are released. */
  | { readonly kind: 'gathered'; readonly items: number }

/** A condition as stored in an item: counts are absolute, from the start of the session. */
export type ItemWait = WaitCondition & {
  /** Maximum wait in milliseconds. */
  readonly atMostMs: number
}
