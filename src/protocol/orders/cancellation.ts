/** Cancelling an order or a part of it: the codes and the bodies (ORD-BOD-01 to 05, ORD-UND-11). */
import { z } from 'zod'

/** What a merchant may say (fields.md, O22). A host accepts any other string as well (ORD-BOD-02). */
export const merchantCancellationCodes = [
  'SYSTEMIC_ISSUES',
  'DUPLICATE_APPLICATION',
  'UNAVAILABLE_ITEM',
  'RESTAURANT_WITHOUT_DELIVERY_PERSON',
  'OUTDATED_MENU',
  'ORDER_OUTSIDE_THE_DELIVERY_AREA',
  'BLOCKED_CUSTOMER',
  'OUTSIDE_DELIVERY_HOURS',
  'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
  'RISK_AREA',
  'DELIVERY_PROBLEM',
] as const

/** What an originator says in the metadata of its CANCELLED event. */
export const originatorCancellationCodes = [
  'CONSUMER_CANCELLATION_REQUESTED',
  'OTHER_CANCELLATION_REASON',
] as const

const asked = {
  reason: z.string().optional(),
  code: z.string().optional(),
  mode: z.enum(['AUTO', 'MANUAL']).optional(),
}

export const CancellationRequest = z.looseObject({
  ...asked,
  /** The ids of the items that ran out; ours where the documents name no place for it (ORD-UND-11). */
  outOfStockItems: z.array(z.string()).max(100).optional(),
})
export type CancellationRequest = z.infer<typeof CancellationRequest>

export const ItemCancellation = z.looseObject({
  ...asked,
  /** How much of the line; the whole line when absent (ORD-BOD-05). */
  quantity: z.int().min(1).optional(),
})
export type ItemCancellation = z.infer<typeof ItemCancellation>
