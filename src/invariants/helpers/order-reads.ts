/** Reads of an order, and the event types that reveal an order. */
import type { SeenExchange } from '../judge/observations.ts'

export const reads = ['getOrder', 'getOrderV1'] as const

export const isRead = ({ by: caller, operation }: SeenExchange): boolean =>
  caller === 'subject' && (operation === 'getOrder' || operation === 'getOrderV1')

/** No list of orders exists, so an order becomes known only by these event types (ORD-GEN-03). */
export const revealing: ReadonlySet<string> = new Set(['CREATED'])
