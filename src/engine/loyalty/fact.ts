/** What has happened in Loyalty: `loyalty.…` at its host, `reward.…` at its client. */
import type { LoyaltyAccount, LoyaltyAccountStatus } from '../../protocol/loyalty/account.ts'
import type { AccountTrigger } from '../../protocol/loyalty/account-lifecycle.ts'
import type { CouponStatus, CouponTrigger } from '../../protocol/loyalty/coupon.ts'
import type { OrderNews } from '../../protocol/loyalty/order-standing.ts'
import type { LoyaltySeeds, Program, Reward, RewardSeen } from '../../protocol/loyalty/program.ts'
import type { Instant } from '../instant.ts'
import type { ReadableThing } from './command.ts'
import type { AccountRecord, CouponRecord, RedemptionRecord, TransactionRecord } from './world.ts'

/** When points that came together end, and whether that is near already. */
export interface LotEnd {
  readonly expiresAt: Instant
  readonly soon: boolean
}

export type LoyaltyHostFact =
  /** The Loyalty host began with these programs and rewards. */
  | ({ readonly kind: 'loyalty.opened' } & LoyaltySeeds)
  /** A program is there, or is different now. */
  | { readonly kind: 'loyalty.program-stored'; readonly program: Program }
  /** A reward is there, or is different now. */
  | { readonly kind: 'loyalty.reward-stored'; readonly reward: Reward }
  /** A customer has an account in a program. */
  | {
      readonly kind: 'loyalty.account-enrolled'
      readonly account: Pick<AccountRecord, 'id' | 'customerId' | 'programId' | 'merchantId'>
    }
  /** An account changed its status. */
  | {
      readonly kind: 'loyalty.account-moved'
      readonly accountId: string
      readonly trigger: AccountTrigger
      readonly from: LoyaltyAccountStatus
      readonly to: LoyaltyAccountStatus
      /** Against the lifecycle, by somebody's hand. */
      readonly forced?: true
    }
  /** News of an order came that count. */
  | {
      readonly kind: 'loyalty.order-heard'
      readonly orderId: string
      readonly customerId: string
      readonly merchantId?: string
      readonly news: OrderNews
    }
  /** Points wait for an order's completion; below zero, they wait no more and are not earned. */
  | {
      readonly kind: 'loyalty.points-pending'
      readonly accountId: string
      readonly orderId: string
      readonly points: number
    }
  /** A completed order earned points, of which so many were pending. */
  | {
      readonly kind: 'loyalty.points-earned'
      readonly accountId: string
      readonly orderId: string
      readonly transaction: TransactionRecord
      readonly fromPending: number
      readonly end?: LotEnd
    }
  /** The points of a redemption are spent. */
  | {
      readonly kind: 'loyalty.points-burned'
      readonly accountId: string
      readonly transaction: TransactionRecord
    }
  /** Points expired: those of a lot, or the oldest. */
  | {
      readonly kind: 'loyalty.points-expired'
      readonly accountId: string
      readonly transaction: TransactionRecord
      readonly lotId?: string
    }
  /** Points were given or taken by hand, or given back. */
  | {
      readonly kind: 'loyalty.points-adjusted'
      readonly accountId: string
      readonly transaction: TransactionRecord
      readonly end?: LotEnd
    }
  /** The end of a lot of points is near. */
  | {
      readonly kind: 'loyalty.points-expiring'
      readonly accountId: string
      readonly lotId: string
      readonly expiresAt: Instant
    }
  /** A lot ended whose points were spoken for: nothing was left to expire. */
  | { readonly kind: 'loyalty.lot-ended'; readonly accountId: string; readonly lotId: string }
  /** A redemption was accepted for later, and its points are reserved. */
  | { readonly kind: 'loyalty.redemption-accepted'; readonly redemption: RedemptionRecord }
  /** A redemption was answered with 202 and comes to nothing. */
  | {
      readonly kind: 'loyalty.redemption-declined'
      readonly accountId: string
      readonly rewardId: string
      readonly because: string
    }
  /** The later that a redemption was accepted for. */
  | {
      readonly kind: 'loyalty.redemption-completed'
      readonly redemptionId: string
      readonly couponId: string
    }
  /** A redemption was taken back; `released` points were only reserved yet. */
  | {
      readonly kind: 'loyalty.redemption-reversed'
      readonly redemptionId: string
      readonly accountId: string
      readonly released: number
      readonly because: string
    }
  /** A coupon came to be. */
  | { readonly kind: 'loyalty.coupon-issued'; readonly coupon: CouponRecord }
  /** A coupon changed its status. */
  | {
      readonly kind: 'loyalty.coupon-moved'
      readonly couponId: string
      readonly trigger: CouponTrigger
      readonly from: CouponStatus
      readonly to: CouponStatus
      readonly orderId?: string
      /** Against the lifecycle, by somebody's hand. */
      readonly forced?: true
    }
  /** The CRM took somebody else's loyalty event. */
  | { readonly kind: 'loyalty.event-heard'; readonly eventId: string; readonly eventType: string }
  /** The CRM was sent a loyalty event again, and left it alone. */
  | { readonly kind: 'loyalty.event-repeated'; readonly eventId: string }

export type LoyaltyGuestFact =
  /** The Ordering Application knows the rewards. */
  | { readonly kind: 'reward.rewards-read'; readonly rewards: readonly RewardSeen[] }
  /** It knows a customer's accounts; it looked on account of this order. */
  | {
      readonly kind: 'reward.accounts-read'
      readonly customerId: string
      readonly accounts: readonly LoyaltyAccount[]
      readonly orderId?: string
    }
  /** It read one account again. */
  | { readonly kind: 'reward.account-read'; readonly account: LoyaltyAccount }
  /** It read a list; `sum` is that of the points in it. */
  | {
      readonly kind: 'reward.list-read'
      readonly what: ReadableThing
      readonly count: number
      readonly sum?: number
    }
  /** It asked to redeem: the call is under way. */
  | {
      readonly kind: 'reward.asked'
      readonly accountId: string
      readonly rewardId: string
      readonly orderId?: string
    }
  /** The host took the redemption: the rest is for later. */
  | { readonly kind: 'reward.accepted'; readonly rewardId: string; readonly orderId?: string }
  /** The host would not have it. */
  | {
      readonly kind: 'reward.refused'
      readonly what: ReadableThing | 'redemption'
      readonly because: string
      readonly orderId?: string
    }
  /** It stored a loyalty event that it had not seen. */
  | {
      readonly kind: 'reward.heard'
      readonly eventId: string
      readonly eventType: string
      readonly accountId?: string
      readonly orderId?: string
    }
  /** A loyalty event came again and was left alone. */
  | { readonly kind: 'reward.event-repeated'; readonly eventId: string }

export type LoyaltyFact = LoyaltyHostFact | LoyaltyGuestFact
