/**
 * Coupons: schema (LOY-REC-04 to 06, C9) and lifecycle. The documents print the states but no transitions (LOY-UND-03);
 * the rows are the field reference's. A transition without a row is refused.
 */
import { z } from 'zod'
import { withKnownValues } from '../known-values.ts'
import { type Transition, transitionOf } from '../lifecycle.ts'
import type { LoyaltyEventType } from './events.ts'
import { loyaltyPageOf } from './page.ts'
import type { RewardType } from './program.ts'
import { looseObject } from '../../base/lazy-object.ts'

export const couponTypes = ['discount', 'free_item', 'cashback'] as const
export type CouponType = (typeof couponTypes)[number]

export const couponStatuses = ['available', 'applied', 'used', 'expired', 'cancelled'] as const
export type CouponStatus = (typeof couponStatuses)[number]

export const Coupon = looseObject(() => ({
  id: z.string().optional(),
  code: z.string().min(1),
  type: withKnownValues(z.string(), couponTypes).optional(),
  status: withKnownValues(z.string(), couponStatuses),
  programId: z.string().optional(),
  customerId: z.string().optional(),
  value: z.number().optional(),
  currency: z.string().optional(),
  source: z.string().optional(),
  expiresAt: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
}))
export type Coupon = z.infer<typeof Coupon>

export const CouponPage = loyaltyPageOf(Coupon)

/** Request body of the use of a coupon. */
export const CouponUse = looseObject(() => ({ relatedOrderId: z.string().min(1).optional() }))
export type CouponUse = z.infer<typeof CouponUse>

/** Type of the coupon issued for a redeemed reward. */
export const couponTypeOfReward: Readonly<Record<RewardType, CouponType>> = {
  product: 'free_item',
  shipping: 'discount',
  cashback: 'cashback',
  generic: 'discount',
}

export const couponTriggers = ['apply', 'use', 'release', 'expire', 'cancel'] as const
export type CouponTrigger = (typeof couponTriggers)[number]

export interface CouponTransition extends Transition<CouponTrigger, CouponStatus> {
  /** Absent for use and expiry, for which the documents have no event. */
  readonly emits?: LoyaltyEventType
}

const applied = 'loyalty.coupon_applied'
const cancelled = 'loyalty.coupon_cancelled'

export const couponLifecycle: readonly CouponTransition[] = [
  { from: 'available', trigger: 'apply', to: 'applied', emits: applied },
  { from: 'applied', trigger: 'use', to: 'used' },
  // Applied and used in one step, so announced as applied.
  { from: 'available', trigger: 'use', to: 'used', emits: applied },
  // The documents announce a release as a cancellation (LOY-EVR-02).
  { from: 'applied', trigger: 'release', to: 'available', emits: cancelled },
  { from: 'available', trigger: 'expire', to: 'expired' },
  { from: 'applied', trigger: 'expire', to: 'expired' },
  { from: 'available', trigger: 'cancel', to: 'cancelled', emits: cancelled },
  { from: 'applied', trigger: 'cancel', to: 'cancelled', emits: cancelled },
]

/** The transition of a trigger from this status; undefined if the table has none. */
export const couponStep = (
  status: CouponStatus,
  trigger: CouponTrigger,
): CouponTransition | undefined => transitionOf(couponLifecycle, status, trigger)

/** Whether a trigger uses the coupon, which needs the account's permission (LOY-PRM-04). */
export const isCouponUse = (trigger: CouponTrigger): boolean =>
  trigger === 'apply' || trigger === 'use'
