/** Wire form of the Loyalty host's records: the documents' fields, plus those of the public standard. */
import { compact } from '../../base/compact.ts'
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'
import type { Coupon } from '../../protocol/loyalty/coupon.ts'
import { isoOf } from '../instant.ts'
import { availablePoints, pointsExpiringSoon } from './reduce-account.ts'
import type {
  LoyaltyAccountRecord,
  CouponRecord,
  RedemptionRecord,
  TransactionRecord,
} from './world.ts'

export function loyaltyAccountView(account: LoyaltyAccountRecord): LoyaltyAccount {
  const { id, customerId, programId, merchantId, status, balance, pending, since } = account
  return {
    id,
    customerId,
    programId,
    ...compact({ merchantId }),
    status,
    balanceType: 'points',
    balance,
    summary: {
      pointsAvailable: availablePoints(account),
      pointsPending: pending,
      pointsExpiringSoon: pointsExpiringSoon(account),
    },
    updatedAt: isoOf(since),
  }
}

export const transactionView = (transaction: TransactionRecord): unknown => ({
  ...transaction,
  // Under both names: the documents' own default has `points` and `orderId` (LOY-UND-01).
  points: transaction.amount,
  ...compact({ orderId: transaction.relatedOrderId }),
  occurredAt: isoOf(transaction.occurredAt),
})

export function couponView(coupon: CouponRecord): Coupon {
  const {
    way: _history,
    since,
    expiresAt,
    quantity,
    name,
    accountId,
    redemptionId,
    ...rest
  } = coupon
  const { orderId, ...fields } = rest
  return {
    ...fields,
    accountId,
    source: redemptionId === undefined ? 'grant' : 'redemption',
    ...compact({ redemptionId, relatedOrderId: orderId }),
    ...(expiresAt === undefined ? {} : { expiresAt: isoOf(expiresAt) }),
    ...compact({ name }),
    quantity,
    updatedAt: isoOf(since),
  }
}

/** The receipt of a redemption: 202 promises nothing (LOY-FLW-03). */
export function redemptionView(
  redemption: RedemptionRecord,
  { customerId, programId }: LoyaltyAccountRecord,
): unknown {
  const { id, accountId, rewardId, quantity, points, orderId, status, at } = redemption
  return {
    status,
    correlationId: id,
    id,
    accountId,
    customerId,
    programId,
    rewardId,
    quantity,
    points,
    ...compact({ relatedOrderId: orderId }),
    createdAt: isoOf(at),
  }
}
