/** What a fact makes of one coupon. */
import type { Instant } from '../instant.ts'
import type { LoyaltyHostFact } from './fact.ts'
import { type CouponRecord, loyaltyBounds } from './world.ts'

export function couponAfter(
  coupon: CouponRecord,
  fact: Extract<LoyaltyHostFact, { kind: 'loyalty.coupon-moved' }>,
  at: Instant,
): CouponRecord {
  const { orderId: before, ...rest } = coupon
  // A coupon that is available again belongs to no order any more.
  const orderId = fact.to === 'available' ? undefined : (fact.orderId ?? before)
  const step = { status: fact.to, at, trigger: fact.trigger }
  return {
    ...rest,
    ...(orderId === undefined ? {} : { orderId }),
    status: fact.to,
    since: at,
    way: [...coupon.way, step].slice(-loyaltyBounds.steps),
  }
}
