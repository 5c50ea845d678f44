/**
 * Rolls back a cancelled order: removes pending points, reverses its redemptions and releases or cancels the coupons
 * applied to it (LOY-EVR-02).
 */
import { moveCoupon } from './coupon-moves.ts'
import type { LoyaltyLedger } from './ledger.ts'
import { reverseRedemption } from './reverse-redemption.ts'
import type { LoyaltyOrder } from './world.ts'

const reason = 'order_canceled'

export function rollBackOrder(order: LoyaltyOrder, ledger: LoyaltyLedger): void {
  const { orderId, merchantId, pending, redemptionIds, couponIds } = order
  for (const [accountId, points] of Object.entries(pending)) {
    ledger.write({ kind: 'loyalty.points-pending', accountId, orderId, points: -points })
    ledger.announce('loyalty.points_pending', accountId, {
      points: -points,
      orderId,
      merchantId,
      reason,
    })
  }
  const { redemptions } = ledger.context.world.loyalty.host
  for (const id of redemptionIds) {
    const redemption = redemptions.get(id)
    if (redemption) reverseRedemption(redemption, reason, ledger)
  }
  for (const couponId of couponIds) rollBackCoupon(couponId, orderId, ledger)
}

/** Releases a coupon of an earlier redemption, or cancels it and returns its points, by `couponRollback`. */
function rollBackCoupon(couponId: string, orderId: string, ledger: LoyaltyLedger): void {
  const { settings, world } = ledger.context
  const coupon = ledger.coupon(couponId)
  if (coupon?.status !== 'applied' || coupon.orderId !== orderId) return
  if (settings.conduct.loyalty.couponRollback === 'release') {
    moveCoupon(couponId, 'release', { reason }, ledger)
    return
  }
  const redemption = world.loyalty.host.redemptions.get(coupon.redemptionId ?? '')
  const reversed = redemption !== undefined && reverseRedemption(redemption, reason, ledger)
  if (!reversed) moveCoupon(couponId, 'cancel', { reason }, ledger)
}
