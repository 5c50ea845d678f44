/** What Loyalty can be asked: `loyalty.…` at its host, `reward.…` at its client. */
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
  /** Suspends an account, or takes the suspension back. */
  | {
      readonly kind: 'loyalty.move-account'
      readonly accountId: string
      readonly trigger: AccountControl
      /** Moves it even where the lifecycle has no such row. */
      readonly force?: true
    }
  /** Gives points by hand, or takes them: as many as are available at most. */
  | {
      readonly kind: 'loyalty.adjust'
      readonly accountId: string
      readonly points: number
      readonly reason?: string
    }
  /** Lets points expire, the oldest first; all that are available when none are named. */
  | { readonly kind: 'loyalty.expire'; readonly accountId: string; readonly points?: number }
  /** A lot of points gets older: its end is near, or there. */
  | { readonly kind: 'loyalty.age-lot'; readonly accountId: string; readonly lotId: string }
  /** Somebody redeems a reward: checked and reserved now, done later. */
  | { readonly kind: 'loyalty.redeem'; readonly request: RedemptionRequest }
  /** The later that a redemption was accepted for. */
  | { readonly kind: 'loyalty.complete-redemption'; readonly redemptionId: string }
  /** Takes a redemption back: its points return, its coupon is cancelled. */
  | { readonly kind: 'loyalty.reverse-redemption'; readonly redemptionId: string }
  /** Gives an account a coupon that nobody redeemed. */
  | {
      readonly kind: 'loyalty.grant-coupon'
      readonly accountId: string
      readonly type: CouponType
      readonly value?: number
    }
  /** Moves a coupon: applied to an order, used, taken back, expired, cancelled. */
  | {
      readonly kind: 'loyalty.move-coupon'
      readonly couponId: string
      readonly trigger: CouponTrigger
      readonly orderId?: string
      /** Moves it even where the lifecycle has no such row. */
      readonly force?: true
    }
  /** A coupon's life is at its end, unless it is spent already. */
  | { readonly kind: 'loyalty.age-coupon'; readonly couponId: string }
  /** The host learns of an order. */
  | {
      readonly kind: 'loyalty.order-news'
      readonly orderId: string
      /** May be missing where the order is known. */
      readonly customerId?: string
      readonly news: OrderNews
      readonly merchantId?: string
      readonly amount?: number
      /** The codes of coupons that it names. */
      readonly couponCodes?: readonly string[]
    }
  /** Somebody sends the CRM a loyalty event. */
  | { readonly kind: 'loyalty.notify'; readonly event: LoyaltyEventBody }

/** What the Ordering Application can read at a Loyalty host. */
export const readableThings = [
  'programs',
  'rewards',
  'accounts',
  'account',
  'transactions',
  'coupons',
] as const
export type ReadableThing = (typeof readableThings)[number]

export type LoyaltyGuestCommand =
  /** The Ordering Application reads something at the Loyalty host. */
  | {
      readonly kind: 'reward.read'
      readonly what: ReadableThing
      readonly customerId?: string
      readonly accountId?: string
      /** The order on account of which it looks. */
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
  /** A loyalty event reached the Ordering Application. */
  | { readonly kind: 'reward.notify'; readonly event: LoyaltyEventBody }

export type LoyaltyCommand = LoyaltyHostCommand | LoyaltyGuestCommand
