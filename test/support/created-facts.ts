/** The facts that reach a judge when an order is created: the order and its CREATED event. */
import type { Fact } from '../../src/core/engine/fact.ts'
import type { Order } from '../../src/core/protocol/orders/order.ts'
import { minimalOrder } from './minimal-order.ts'

export const createdFacts = (orderId: string): readonly Fact[] => [
  { kind: 'order.created', order: minimalOrder(orderId, 'TAKEOUT') as unknown as Order },
  {
    kind: 'event.emitted',
    event: {
      eventId: `event-of-${orderId}`,
      eventType: 'CREATED',
      orderId,
      merchantId: 'loja-1',
      createdAt: '2026-01-05T15:00:00.000Z',
    },
  },
]
