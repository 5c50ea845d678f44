/** A loyalty account: one for each customer in each program (LOY-REC-01, LOY-REC-02; C8 for the rest of its fields). */
import { z } from 'zod'
import { withKnownValues } from '../known-values.ts'
import { looseObject } from '../../base/lazy-object.ts'

export const loyaltyAccountStatuses = ['ENROLLED', 'ACTIVE', 'SUSPENDED'] as const
export type LoyaltyAccountStatus = (typeof loyaltyAccountStatuses)[number]

/** An account in an answer; a partner's may lack fields that the documents do not list. */
export const LoyaltyAccount = looseObject(() => ({
  id: z.string().min(1).optional(),
  customerId: z.string().min(1),
  programId: z.string().min(1),
  merchantId: z.string().optional(),
  status: withKnownValues(z.string(), loyaltyAccountStatuses).optional(),
  balanceType: z.string().optional(),
  /** The sum of its transactions, including points reserved by pending redemptions. */
  balance: z.number().optional(),
  summary: z.looseObject({
    pointsAvailable: z.number(),
    pointsPending: z.number(),
    pointsExpiringSoon: z.number(),
  }),
}))
export type LoyaltyAccount = z.infer<typeof LoyaltyAccount>

/** The list of a customer's accounts is not paged (C10). */
export const LoyaltyAccountList = looseObject(() => ({ items: z.array(LoyaltyAccount) }))
