/** Facts of Loyalty: `loyalty.…` at the host, `reward.…` at the client. */
import type { LoyaltyAccount, LoyaltyAccountStatus } from '../../protocol/loyalty/account.ts'
import type { LoyaltyAccountTrigger } from '../../protocol/loyalty/account-lifecycle.ts'
import type { CouponStatus, CouponTrigger } from '../../protocol/loyalty/coupon.ts'
import type { OrderNews } from '../../protocol/loyalty/order-standing.ts'
import type {
  LoyaltySeeds,
  Program,
  Reward,
  PartnerReward,
} from '../../protocol/loyalty/program.ts'
import type { Instant } from '../instant.ts'
import type { ReadableResource } from './command.ts'
import type {
  LoyaltyAccountRecord,
  CouponRecord,
  RedemptionRecord,
  TransactionRecord,
} from './world.ts'

/** Expiry of a lot of points, and whether it is near already. */
export interface LotExpiry {
  readonly expiresAt: Instant
  readonly soon: boolean
}

export type LoyaltyHostFact =
  /** Initial programs and rewards of the host. */
  | ({ readonly kind: 'loyalty.opened' } & LoyaltySeeds)
  /** A program was created or changed. */
  | { readonly kind: 'loyalty.program-stored'; readonly program: Program }
  /** A reward was created or changed. */
  | { readonly kind: 'loyalty.reward-stored'; readonly reward: Reward }
  /** A customer was enrolled in a program. */
  | {
      readonly kind: 'loyalty.account-enrolled'
      readonly account: Pick<LoyaltyAccountRecord, 'id' | 'customerId' | 'programId' | 'merchantId'>
    }
  /** An account changed its status. */
  | {
      readonly kind: 'loyalty.account-moved'
      readonly accountId: string
      readonly trigger: LoyaltyAccountTrigger
      readonly from: LoyaltyAccountStatus
      readonly to: LoyaltyAccountStatus
      /** Forced by a command against the lifecycle. */
      readonly forced?: true
    }
  /** News of an order changed its status at the host. */
  | {
      readonly kind: 'loyalty.order-heard'
      readonly orderId: string
      readonly customerId: string
      readonly merchantId?: string
      readonly news: OrderNews
    }
  /** Pending points of an order changed; negative when they are removed without being earned. */
  | {
      readonly kind: 'loyalty.points-pending'
      readonly accountId: string
      readonly orderId: string
      readonly points: number
    }
  /** A completed order earned points, `fromPending` of them pending before. */
  | {
      readonly kind: 'loyalty.points-earned'
      readonly accountId: string
      readonly orderId: string
      readonly transaction: TransactionRecord
      readonly fromPending: number
      readonly end?: LotExpiry
    }
  /** A redemption spent its points. */
  | {
      readonly kind: 'loyalty.points-burned'
      readonly accountId: string
      readonly transaction: TransactionRecord
    }
  /** Points expired: those of a lot, or the oldest ones. */
  | {
      readonly kind: 'loyalty.points-expired'
      readonly accountId: string
      readonly transaction: TransactionRecord
      readonly lotId?: string
    }
  /** Points were adjusted by command, or returned by a reversal. */
  | {
      readonly kind: 'loyalty.points-adjusted'
      readonly accountId: string
      readonly transaction: TransactionRecord
      readonly end?: LotExpiry
    }
  /** A lot of points expires soon. */
  | {
      readonly kind: 'loyalty.points-expiring'
      readonly accountId: string
      readonly lotId: string
      readonly expiresAt: Instant
    }
  /** A lot reached its expiry with all its points reserved: nothing expired. */
  | { readonly kind: 'loyalty.lot-ended'; readonly accountId: string; readonly lotId: string }
  /** A redemption was accepted and its points reserved. */
  | { readonly kind: 'loyalty.redemption-accepted'; readonly redemption: RedemptionRecord }
  /** A rejected redemption was answered with 202 and has no effect. */
  | {
      readonly kind: 'loyalty.redemption-declined'
      readonly accountId: string
      readonly rewardId: string
      readonly because: string
    }
  /** An accepted redemption was completed. */
  | {
      readonly kind: 'loyalty.redemption-completed'
      readonly redemptionId: string
      readonly couponId: string
    }
  /** A redemption was reversed; `released` is the number of points that were only reserved. */
  | {
      readonly kind: 'loyalty.redemption-reversed'
      readonly redemptionId: string
      readonly accountId: string
      readonly released: number
      readonly because: string
    }
  /** A coupon was issued. */
  | { readonly kind: 'loyalty.coupon-issued'; readonly coupon: CouponRecord }
  /** A coupon changed its status. */
  | {
      readonly kind: 'loyalty.coupon-moved'
      readonly couponId: string
      readonly trigger: CouponTrigger
      readonly from: CouponStatus
      readonly to: CouponStatus
      readonly orderId?: string
      /** Forced by a command against the lifecycle. */
      readonly forced?: true
    }
  /** The CRM received a loyalty event. */
  | { readonly kind: 'loyalty.event-heard'; readonly eventId: string; readonly eventType: string }
  /** The CRM received a duplicate loyalty event and ignored it. */
  | { readonly kind: 'loyalty.event-repeated'; readonly eventId: string }

export type LoyaltyGuestFact =
  /** The Ordering Application read the rewards. */
  | { readonly kind: 'reward.rewards-read'; readonly rewards: readonly PartnerReward[] }
  /** It read a customer's accounts; `orderId` is the reason for the read. */
  | {
      readonly kind: 'reward.accounts-read'
      readonly customerId: string
      readonly accounts: readonly LoyaltyAccount[]
      readonly orderId?: string
    }
  /** It read one account again. */
  | { readonly kind: 'reward.account-read'; readonly account: LoyaltyAccount }
  /** It read a list; `sum` is the total of the points in it. */
  | {
      readonly kind: 'reward.list-read'
      readonly what: ReadableResource
      readonly count: number
      readonly sum?: number
    }
  /** It sent a redemption request. */
  | {
      readonly kind: 'reward.asked'
      readonly accountId: string
      readonly rewardId: string
      readonly orderId?: string
    }
  /** The host accepted the redemption for asynchronous processing. */
  | { readonly kind: 'reward.accepted'; readonly rewardId: string; readonly orderId?: string }
  /** The host's answer was an error or invalid. */
  | {
      readonly kind: 'reward.refused'
      readonly what: ReadableResource | 'redemption'
      readonly because: string
      readonly orderId?: string
    }
  /** It received a new loyalty event. */
  | {
      readonly kind: 'reward.heard'
      readonly eventId: string
      readonly eventType: string
      readonly accountId?: string
      readonly orderId?: string
    }
  /** It received a duplicate loyalty event and ignored it. */
  | { readonly kind: 'reward.event-repeated'; readonly eventId: string }

export type LoyaltyFact = LoyaltyHostFact | LoyaltyGuestFact
