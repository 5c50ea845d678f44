/** Commands of Loyalty: `loyalty.…` at the host, `reward.…` at the client. */
import type { AccountControl } from '../../protocol/loyalty/account-lifecycle.ts'
import type { CouponTrigger, CouponType } from '../../protocol/loyalty/coupon.ts'
import type { LoyaltyEventBody } from '../../protocol/loyalty/event.ts'
import type { OrderNews } from '../../protocol/loyalty/order-standing.ts'
import type { Program, Reward } from '../../protocol/loyalty/program.ts'
import type { RedemptionRequest } from '../../protocol/loyalty/redemption.ts'

export type LoyaltyHostCommand =
  /** Stores programs, new or changed. */
  | { readonly kind: 'loyalty.store-programs'; readonly programs: readonly Program[] }
  /** Stores a reward, new or changed. */
  | { readonly kind: 'loyalty.store-reward'; readonly reward: Reward }
  /** Gives a customer an account in a program. */
  | {
      readonly kind: 'loyalty.enroll'
      readonly customerId: string
      readonly programId: string
    }
  /** Suspends or reactivates an account. */
  | {
      readonly kind: 'loyalty.move-account'
      readonly accountId: string
      readonly trigger: AccountControl
      /** Moves it even if the lifecycle has no such transition. */
      readonly force?: true
    }
  /** Adds points, or removes at most the available ones. */
  | {
      readonly kind: 'loyalty.adjust'
      readonly accountId: string
      readonly points: number
      readonly reason?: string
    }
  /** Expires points, oldest first; default: all available points. */
  | { readonly kind: 'loyalty.expire'; readonly accountId: string; readonly points?: number }
  /** Checks a lot of points for `expiring soon` and for expiry. */
  | { readonly kind: 'loyalty.age-lot'; readonly accountId: string; readonly lotId: string }
  /** Redeems a reward: checks and reserves the points now; completes asynchronously. */
  | { readonly kind: 'loyalty.redeem'; readonly request: RedemptionRequest }
  /** Completes an accepted redemption. */
  | { readonly kind: 'loyalty.complete-redemption'; readonly redemptionId: string }
  /** Reverses a redemption: returns its points and cancels its coupon. */
  | { readonly kind: 'loyalty.reverse-redemption'; readonly redemptionId: string }
  /** Grants a coupon without a redemption. */
  | {
      readonly kind: 'loyalty.grant-coupon'
      readonly accountId: string
      readonly type: CouponType
      readonly value?: number
    }
  /** Moves a coupon: apply to an order, use, release, expire or cancel. */
  | {
      readonly kind: 'loyalty.move-coupon'
      readonly couponId: string
      readonly trigger: CouponTrigger
      readonly orderId?: string
      /** Moves it even if the lifecycle has no such transition. */
      readonly force?: true
    }
  /** Expires a coupon, unless it is used already. */
  | { readonly kind: 'loyalty.age-coupon'; readonly couponId: string }
  /** Tells the host of a change of an order. */
  | {
      readonly kind: 'loyalty.order-news'
      readonly orderId: string
      /** Optional if the order is known. */
      readonly customerId?: string
      readonly news: OrderNews
      readonly merchantId?: string
      readonly amount?: number
      /** Codes of the coupons named by the order. */
      readonly couponCodes?: readonly string[]
    }
  /** The CRM receives a loyalty event. */
  | { readonly kind: 'loyalty.notify'; readonly event: LoyaltyEventBody }

/** The resources that the Ordering Application can read at a Loyalty host. */
export const readableResources = [
  'programs',
  'rewards',
  'accounts',
  'account',
  'transactions',
  'coupons',
] as const
export type ReadableResource = (typeof readableResources)[number]

export type LoyaltyGuestCommand =
  /** The Ordering Application reads a resource of the Loyalty host. */
  | {
      readonly kind: 'reward.read'
      readonly what: ReadableResource
      readonly customerId?: string
      readonly accountId?: string
      /** The order that is the reason for the read. */
      readonly orderId?: string
    }
  /** The Ordering Application redeems a reward for a customer. */
  | {
      readonly kind: 'reward.redeem'
      readonly accountId: string
      readonly rewardId: string
      readonly quantity?: number
      readonly orderId?: string
    }
  /** The Ordering Application receives a loyalty event. */
  | { readonly kind: 'reward.notify'; readonly event: LoyaltyEventBody }

export type LoyaltyCommand = LoyaltyHostCommand | LoyaltyGuestCommand
