/**
 * A cancelled order gives back what it moved: pending points wait no more, its redemptions are reversed, and the coupons
 * that were applied to it are free again (LOY-EVR-02).
 */
import { moveCoupon } from './coupon-moves.ts'
import type { Ledger } from './ledger.ts'
import { reverse } from './reversal.ts'
import type { OrderAccount } from './world.ts'

const reason = 'order_canceled'

export function rollBack(order: OrderAccount, ledger: Ledger): void {
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
    if (redemption) reverse(redemption, reason, ledger)
  }
  for (const couponId of couponIds) giveBack(couponId, orderId, ledger)
}

/** A coupon from elsewhere, applied to the order: it can be used for another one, or it is cancelled and paid back. */
function giveBack(couponId: string, orderId: string, ledger: Ledger): void {
  const { settings, world } = ledger.context
  const coupon = ledger.coupon(couponId)
  if (coupon?.status !== 'applied' || coupon.orderId !== orderId) return
  if (settings.conduct.loyalty.couponRollback === 'release') {
    moveCoupon(couponId, 'release', { reason }, ledger)
    return
  }
  const redemption = world.loyalty.host.redemptions.get(coupon.redemptionId ?? '')
  const reversed = redemption !== undefined && reverse(redemption, reason, ledger)
  if (!reversed) moveCoupon(couponId, 'cancel', { reason }, ledger)
}
