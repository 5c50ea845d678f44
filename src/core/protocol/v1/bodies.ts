/** Request and response bodies of V1 (fields.md, 4.2 and 4.5). */
import { z } from 'zod'
import {
  CancellationReason,
  CancelledItemIds,
  merchantCancellationCodes,
} from '../orders/cancellation.ts'
import { looseObject } from '../../base/lazy-object.ts'

export const V1Confirmation = looseObject(() => ({
  createdAt: z.iso.datetime({ offset: true }),
  orderExternalCode: z.string().max(200),
  reason: CancellationReason.optional(),
  preparationTime: z.int().min(0).optional(),
}))

export const V1CancellationRequest = looseObject(() => ({
  reason: CancellationReason,
  code: z.enum(merchantCancellationCodes),
  mode: z.enum(['AUTO', 'MANUAL']),
  outOfStockItems: CancelledItemIds,
  invalidItems: CancelledItemIds,
}))

/** An event: what V1 requires of it (fields.md, 4.3). */
export const V1Event = looseObject(() => ({
  eventId: z.string().min(1),
  eventType: z.string().min(1),
  orderId: z.string().min(1),
  orderURL: z.string().min(1),
  createdAt: z.iso.datetime({ offset: true }),
}))

/** Codes with which a merchant denies a cancellation. */
export const v1DenialCodes = ['DISH_ALREADY_DONE', 'OUT_FOR_DELIVERY'] as const

export const V1Denial = looseObject(() => ({
  reason: CancellationReason,
  code: z.enum(v1DenialCodes),
}))
export type V1Denial = z.infer<typeof V1Denial>

/** Endpoints of a merchant's software. */
export const V1MerchantVersions = looseObject(() => ({
  merchantEndpoint: z.string(),
  ordersWebhook: z.string().optional(),
}))

/** Where an Ordering Application finds the menu of a merchant, and where it sends events. */
export const V1Onboarding = looseObject(() => ({
  getMerchantURL: z.looseObject({ baseURL: z.string(), apiKey: z.string().optional() }).optional(),
  ordersWebhookURL: z.string().optional(),
}))

export const V1Onboarded = looseObject(() => ({ orderingAppMerchantId: z.string() }))

/** What became of the last menu that was read. */
export const V1MerchantStatus = looseObject(() => ({
  lastRead: z.iso.datetime({ offset: true }),
  status: z.enum(['SUCCESS', 'PROCESSING', 'FAIL']),
  moreInfo: z.string().optional(),
}))

/** The discovery of V1: versions and event channels of the Ordering Application. */
export const V1Versions = looseObject(() => ({
  merchant: z.looseObject({ version: z.string() }),
  order: z.looseObject({
    version: z.string(),
    availableEventsMethods: z.array(z.enum(['POLLING', 'WEBHOOK'])),
  }),
}))
