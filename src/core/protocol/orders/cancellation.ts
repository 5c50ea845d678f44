/** Cancellation of an order or of an item: reason codes and request bodies (ORD-BOD-01 to 05, ORD-UND-11). */
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

/** Cancellation codes of a merchant (fields.md, O22). A V2 host accepts any other string as well (ORD-BOD-02); in V1
 * the list is closed. */
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

/** Cancellation codes of an originator, in the metadata of its CANCELLED event. */
export const originatorCancellationCodes = [
  'CONSUMER_CANCELLATION_REQUESTED',
  'OTHER_CANCELLATION_REASON',
] as const

/** No document states a length (fields.md): a text is kept with its order, so that it may not be endless. */
export const CancellationReason = z.string().max(2000)
/** Ids of items; the documents name no field for them (ORD-UND-11). */
export const CancelledItemIds = z.array(z.string().max(200)).max(100).optional()

const commonFields = () => ({
  reason: CancellationReason.optional(),
  code: z.string().max(200).optional(),
  mode: z.enum(['AUTO', 'MANUAL']).optional(),
})

export const CancellationRequest = looseObject(() => ({
  ...commonFields(),
  /** Ids of the items that ran out; the field is our choice, the documents name none (ORD-UND-11). */
  outOfStockItems: CancelledItemIds,
}))
export type CancellationRequest = z.infer<typeof CancellationRequest>

export const ItemCancellation = looseObject(() => ({
  ...commonFields(),
  /** Quantity to cancel; the whole line when absent (ORD-BOD-05). */
  quantity: z.int().min(1).optional(),
}))
export type ItemCancellation = z.infer<typeof ItemCancellation>
