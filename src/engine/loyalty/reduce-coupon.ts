/** Reducer for one coupon. */
import { compact } from '../../compact.ts'
import type { Instant } from '../instant.ts'
import type { LoyaltyHostFact } from './fact.ts'
import { type CouponRecord, loyaltyBounds } from './world.ts'

export function reduceCoupon(
  coupon: CouponRecord,
  fact: Extract<LoyaltyHostFact, { kind: 'loyalty.coupon-moved' }>,
  at: Instant,
): CouponRecord {
  const { orderId: before, ...rest } = coupon
  // A released coupon no longer belongs to an order.
  const orderId = fact.to === 'available' ? undefined : (fact.orderId ?? before)
  const step = { status: fact.to, at, trigger: fact.trigger }
  return {
    ...rest,
    ...compact({ orderId }),
    status: fact.to,
    since: at,
    way: [...coupon.way, step].slice(-loyaltyBounds.steps),
  }
}
