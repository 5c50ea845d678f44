/**
 * World state of Loyalty: programs, accounts, transactions and coupons of the host, and the Ordering Application's copy
 * of what it has read. Records are immutable values in maps that change in place.
 */
import type { LoyaltyAccount, LoyaltyAccountStatus } from '../../protocol/loyalty/account.ts'
import type { LoyaltyAccountTrigger } from '../../protocol/loyalty/account-lifecycle.ts'
import type {
  Coupon,
  CouponStatus,
  CouponTrigger,
  CouponType,
} from '../../protocol/loyalty/coupon.ts'
import type { OrderStanding } from '../../protocol/loyalty/order-standing.ts'
import type { Program, Reward, PartnerReward } from '../../protocol/loyalty/program.ts'
import type { RedemptionStatus } from '../../protocol/loyalty/redemption.ts'
import type { TransactionType } from '../../protocol/loyalty/transaction.ts'
import type { Instant } from '../instant.ts'

/** Expiry of a lot of points. */
export interface LotExpiry {
  readonly expiresAt: Instant
  /** Whether it counts as expiring soon. */
  readonly soon: boolean
}

/** Points earned together, with one expiry. */
export interface PointsLot extends LotExpiry {
  readonly id: string
  readonly left: number
}

export interface LoyaltyAccountRecord {
  readonly id: string
  readonly customerId: string
  readonly programId: string
  /** The store of its program, if the program belongs to one store. */
  readonly merchantId?: string
  readonly status: LoyaltyAccountStatus
  /** The sum of its transactions. */
  readonly balance: number
  /** The part of the balance reserved by accepted redemptions. */
  readonly reserved: number
  readonly pending: number
  /** Oldest first; points outside any lot expire only by command. */
  readonly lots: readonly PointsLot[]
  readonly since: Instant
  readonly way: readonly {
    readonly status: LoyaltyAccountStatus
    readonly at: Instant
    readonly trigger: LoyaltyAccountTrigger
  }[]
}

export interface TransactionRecord {
  readonly id: string
  readonly accountId: string
  readonly type: TransactionType
  readonly amount: number
  readonly relatedOrderId?: string
  readonly occurredAt: Instant
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface RedemptionRecord {
  readonly id: string
  readonly accountId: string
  readonly rewardId: string
  readonly quantity: number
  readonly points: number
  readonly orderId?: string
  readonly status: RedemptionStatus
  readonly couponId?: string
  readonly at: Instant
}

export interface CouponRecord {
  readonly id: string
  readonly code: string
  readonly type: CouponType
  readonly status: CouponStatus
  readonly accountId: string
  readonly customerId: string
  readonly programId: string
  readonly name?: string
  readonly value?: number
  readonly currency?: string
  readonly quantity: number
  readonly redemptionId?: string
  /** The order that it is applied to, or was used for. */
  readonly orderId?: string
  readonly expiresAt?: Instant
  readonly since: Instant
  readonly way: readonly {
    readonly status: CouponStatus
    readonly at: Instant
    readonly trigger?: CouponTrigger
  }[]
}

/** An order as the Loyalty host sees it. */
export interface LoyaltyOrder {
  readonly orderId: string
  readonly customerId: string
  readonly merchantId?: string
  readonly standing: OrderStanding
  /** Points it earns when completed, by account id. */
  readonly pending: Readonly<Record<string, number>>
  readonly redemptionIds: readonly string[]
  readonly couponIds: readonly string[]
}

export interface LoyaltyHostWorld {
  readonly programs: Map<string, Program>
  readonly rewards: Map<string, Reward>
  readonly accounts: Map<string, LoyaltyAccountRecord>
  /** Account ids by customer id, one account per program. */
  readonly accountIdsByCustomer: Map<string, readonly string[]>
  /** By account id, oldest first. */
  readonly transactions: Map<string, readonly TransactionRecord[]>
  readonly redemptions: Map<string, RedemptionRecord>
  /** Ids of completed or reversed redemptions, oldest first: evicted first. */
  readonly finishedRedemptions: Set<string>
  readonly coupons: Map<string, CouponRecord>
  readonly couponIdByCode: Map<string, string>
  readonly orders: Map<string, LoyaltyOrder>
  /** Ids of finished orders, oldest first: evicted first. */
  readonly finishedOrders: Set<string>
  /** Ids of received events, oldest first. */
  readonly seenEvents: Set<string>
}

/** A record of the host as the Ordering Application has read it. */
export interface ReadRecord<Document> {
  /** As last read. */
  readonly document: Document
  /** The statuses that reads have shown, each since when. */
  readonly way: readonly { readonly status: string; readonly at: Instant }[]
}

export interface LoyaltyGuestWorld {
  readonly accounts: Map<string, ReadRecord<LoyaltyAccount>>
  /** By their ids, or codes where they have none. */
  readonly coupons: Map<string, ReadRecord<Coupon>>
  readonly rewards: Map<string, PartnerReward>
  /** Ids of received events, oldest first. */
  readonly seenEvents: Set<string>
}

export interface LoyaltyWorld {
  readonly host: LoyaltyHostWorld
  readonly guest: LoyaltyGuestWorld
}

/** Maximum sizes. The oldest entries are evicted first; the oldest transactions are merged into one instead. */
export const loyaltyBounds = {
  programs: 1000,
  rewards: 10_000,
  accounts: 50_000,
  transactions: 500,
  lots: 100,
  steps: 50,
  finishedRedemptions: 50_000,
  coupons: 50_000,
  finishedOrders: 50_000,
  seenEvents: 50_000,
  recordsRead: 10_000,
} as const

export const createLoyaltyWorld = (): LoyaltyWorld => ({
  host: {
    programs: new Map(),
    rewards: new Map(),
    accounts: new Map(),
    accountIdsByCustomer: new Map(),
    transactions: new Map(),
    redemptions: new Map(),
    finishedRedemptions: new Set(),
    coupons: new Map(),
    couponIdByCode: new Map(),
    orders: new Map(),
    finishedOrders: new Set(),
    seenEvents: new Set(),
  },
  guest: { accounts: new Map(), coupons: new Map(), rewards: new Map(), seenEvents: new Set() },
})
