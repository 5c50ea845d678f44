/** One order event, as a poll returns it and as a webhook carries it (ORD-EVF-01 to 03, ORD-UND-02). */
import { z } from 'zod'

const text = z.string().optional().catch(undefined)

/**
 * `eventType` is open: a receiver tolerates a type that it does not know. What nobody needs to act on an event must not
 * make it unreadable: many a partner writes null where there is nothing.
 */
export const OrderEvent = z.looseObject({
  eventId: z.string().min(1),
  eventType: z.string().min(1),
  orderId: z.string().min(1),
  /** Absolute, and it returns the order; always present on CREATED. */
  orderURL: text,
  /** Always there on ours; a partner who leaves it out is still understood. */
  createdAt: text,
  sourceAppId: text,
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
})
export type OrderEvent = z.infer<typeof OrderEvent>

/** The least of an event: what it takes to acknowledge it. */
export const Identified = OrderEvent.pick({ eventId: true })

/** What a poll answers. */
export const OrderEventList = z.array(OrderEvent)
