/** Readings of an order, and the events that make somebody read it for the first time. */
import type { SeenExchange } from '../judge/observations.ts'

export const reads = ['getOrder', 'getOrderV1'] as const

export const isRead = ({ by, operation }: SeenExchange): boolean =>
  by === 'subject' && (operation === 'getOrder' || operation === 'getOrderV1')

/** No list of orders exists: of an order whose event of these types is lost nobody hears (ORD-GEN-03). */
export const revealing: ReadonlySet<string> = new Set(['CREATED'])
