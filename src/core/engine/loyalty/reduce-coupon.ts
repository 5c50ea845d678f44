/** Reducer for one coupon. */
import { compact } from '../../base/compact.ts'
import type { Instant } from '../instant.ts'
import type { CouponStatus, CouponTrigger } from '../../protocol/loyalty/coupon.ts'
import { type CouponRecord, loyaltyBounds } from './world.ts'

export interface CouponStep {
  readonly trigger: CouponTrigger
  readonly to: CouponStatus
  readonly orderId?: string
}

export function reduceCoupon(
  { orderId: before, ...coupon }: CouponRecord,
  { trigger, to, orderId: named }: CouponStep,
  at: Instant,
): CouponRecord {
  // A released coupon no longer belongs to an order.
  const orderId = to === 'available' ? undefined : (named ?? before)
  return {
    ...coupon,
    ...compact({ orderId }),
    status: to,
    since: at,
    way: [...coupon.way, { status: to, at, trigger }].slice(-loyaltyBounds.steps),
  }
}
