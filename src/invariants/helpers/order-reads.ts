/** Reads of an order, and the event types that reveal an order. */
import type { ObservedExchange } from '../judge/observations.ts'

export const orderReadOperations = ['getOrder'] as const

export const isOrderRead = ({ caller, operation }: ObservedExchange): boolean =>
  caller === 'subject' && operation === 'getOrder'

/** No list of orders exists, so an order becomes known only by these event types (ORD-GEN-03). */
export const revealingEventTypes: ReadonlySet<string> = new Set(['CREATED'])
