/** Transactions of points: an append-only list whose sum is the balance (LOY-REC-03, C7). */
import { z } from 'zod'
import { withKnownValues } from '../known-values.ts'
import { loyaltyPageOf } from './page.ts'
import { looseObject } from '../../base/lazy-object.ts'

export const transactionTypes = ['earn', 'burn', 'expire', 'adjust'] as const
export type TransactionType = (typeof transactionTypes)[number]

export const Transaction = looseObject(() => ({
  id: z.string().optional(),
  accountId: z.string().optional(),
  type: withKnownValues(z.string(), transactionTypes),
  /** Signed points: negative when spent or expired, so that the sum is the balance. */
  amount: z.number(),
  relatedOrderId: z.string().optional(),
  occurredAt: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
}))

export const TransactionPage = loyaltyPageOf(Transaction)
