/** Schema of an order event, in poll answers and webhooks (ORD-EVF-01 to 03, ORD-UND-02). */
import { z } from 'zod'
import { withKnownValues } from '../known-values.ts'
import { orderEventTypes } from './events.ts'
import { looseObject } from '../../base/lazy-object.ts'

const text = z.string().optional().catch(undefined)

/**
 * `eventType` is open: a receiver tolerates unknown types. An invalid optional field counts as absent and does not
 * invalidate the event: some partners write null for an absent value.
 */
export const OrderEvent = looseObject(() => ({
  eventId: z.string().min(1),
  eventType: withKnownValues(z.string().min(1), orderEventTypes),
  orderId: z.string().min(1),
  /** Absolute URL of the order; always present on CREATED. */
  orderURL: text,
  /** Always set on our events; tolerated when absent on a partner's. */
  createdAt: text,
  sourceAppId: text,
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
}))
export type OrderEvent = z.infer<typeof OrderEvent>

/** The minimum of an event: its id, which suffices to acknowledge it. */
export const IdentifiedOrderEvent = OrderEvent.pick({ eventId: true })

/** An event with all that its originator owes: what a receiver forgives is a mistake of the sender (fields.md, O12). */
export const ShownOrderEvent = looseObject(() => ({
  ...OrderEvent.shape,
  createdAt: z.iso.datetime({ offset: true }),
})).refine(({ eventType, orderURL }) => eventType !== 'CREATED' || URL.canParse(orderURL ?? ''), {
  path: ['orderURL'],
  message: 'an event CREATED needs an absolute orderURL',
})

/** Body of a poll answer. */
export const OrderEventList = z.array(OrderEvent)
