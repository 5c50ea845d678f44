/** Redeeming a reward: the body of the call, which the documents do not show (C6, LOY-UND-05), and its receipt. */
import { z } from 'zod'
import { withKnownValues } from '../known-values.ts'
import { looseObject } from '../../base/lazy-object.ts'
import { evenIfInvalid } from '../unknown-record.ts'

const id = z.string().min(1).max(200)

/** The account is named by its id, or by its customer and program. */
export const RedemptionRequest = looseObject(() => ({
  accountId: id.optional(),
  customerId: id.optional(),
  programId: id.optional(),
  rewardId: id,
  quantity: z.int().min(1).max(1000).optional(),
  /** The cost in points expected by the caller; must match. */
  points: z.int().min(1).optional(),
  relatedOrderId: id.optional(),
  orderId: id.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})).superRefine(({ accountId, customerId, programId }, context) => {
  if (accountId !== undefined || (customerId !== undefined && programId !== undefined)) return
  context.addIssue({
    code: 'custom',
    path: ['accountId'],
    message: 'is missing, and customerId with programId are not both there in its place',
  })
}, evenIfInvalid)
export type RedemptionRequest = z.infer<typeof RedemptionRequest>

export const redemptionStatuses = ['ACCEPTED', 'COMPLETED', 'REVERSED'] as const
export type RedemptionStatus = (typeof redemptionStatuses)[number]

/** Body of a 202, which is only a receipt: the outcome comes by events. */
export const RedemptionReceipt = looseObject(() => ({
  status: withKnownValues(z.string(), redemptionStatuses).optional(),
  correlationId: z.string().optional(),
}))
