/**
 * Reverses a redemption: returns its points and cancels its coupon, both announced (LOY-EVR-02). Reserved points are
 * released; burned points are returned by an adjust transaction, since a burn stays in the list.
 */
import { compact } from '../../base/compact.ts'
import { type LoyaltyLedger, pointsExpiry, createTransaction } from './ledger.ts'
import { moveCoupon } from './coupon-moves.ts'
import type { RedemptionRecord } from './world.ts'

/** False if already reversed, or if its coupon has been used for another order. */
export function reverseRedemption(
  redemption: RedemptionRecord,
  reason: string,
  ledger: LoyaltyLedger,
): boolean {
  const { id: redemptionId, accountId, points, orderId, status, couponId } = redemption
  if (status === 'REVERSED') return false
  const coupon = couponId === undefined ? undefined : ledger.coupon(couponId)
  if (coupon?.status === 'used' && (orderId === undefined || coupon.orderId !== orderId))
    return false
  const wasBurned = status === 'COMPLETED'
  ledger.write({
    kind: 'loyalty.redemption-reversed',
    redemptionId,
    accountId,
    released: wasBurned ? 0 : points,
    because: reason,
  })
  if (wasBurned)
    ledger.write({
      kind: 'loyalty.points-adjusted',
      accountId,
      transaction: createTransaction(
        {
          accountId,
          type: 'adjust',
          amount: points,
          ...compact({ relatedOrderId: orderId }),
          metadata: { reason: 'redemption_reversed', redemptionId },
        },
        ledger,
      ),
      ...pointsExpiry(ledger.context),
    })
  ledger.announce('loyalty.redemption_reversed', accountId, {
    points,
    orderId,
    redemptionId,
    coupon,
    reason,
  })
  if (coupon) moveCoupon(coupon.id, 'cancel', { orderId, reason }, ledger)
  return true
}
