/** Facts of a Loyalty host: `loyalty.…`. */
import type { CouponStatus } from '../../protocol/loyalty/coupon.ts'
import type { LoyaltySeeds, Program, Reward } from '../../protocol/loyalty/program.ts'
import { addBounded, setBounded } from '../bounded.ts'
import { type FactIn, factRow } from '../fact-row.ts'
import { byForce, listCount } from '../short-text.ts'
import { loyaltyAccountFacts } from './account-facts.ts'
import {
  addAccount,
  addCoupon,
  applyOrderNews,
  attachCoupon,
  changeRedemption,
  type OrderUpdate,
} from './host-records.ts'
import { createAccountRecord, type EnrolledAccount } from './reduce-account.ts'
import { type CouponStep, reduceCoupon } from './reduce-coupon.ts'
import { type CouponRecord, loyaltyBounds } from './world.ts'

export const loyaltyHostFacts = {
  ...loyaltyAccountFacts,
  /** Initial programs and rewards of the host. */
  'loyalty.opened': factRow<LoyaltySeeds>({
    text: ({ programs, rewards }) =>
      `Loyalty opens with ${listCount(programs, 'program')} and ${listCount(rewards, 'reward')}`,
    apply({ loyalty: { host } }, { programs, rewards }) {
      for (const program of programs) host.programs.set(program.id, program)
      for (const reward of rewards) host.rewards.set(reward.id, reward)
    },
  }),
  /** A program was created or changed. */
  'loyalty.program-stored': factRow<{ program: Program }>({
    text: ({ program }) => `program ${program.name} stored`,
    apply: ({ loyalty: { host } }, { program }) =>
      setBounded(host.programs, program.id, program, loyaltyBounds.programs),
  }),
  /** A reward was created or changed. */
  'loyalty.reward-stored': factRow<{ reward: Reward }>({
    text: ({ reward }) => `reward ${reward.name} stored: ${reward.cost} points`,
    apply: ({ loyalty: { host } }, { reward }) =>
      setBounded(host.rewards, reward.id, reward, loyaltyBounds.rewards),
  }),
  /** A customer was enrolled in a program. */
  'loyalty.account-enrolled': factRow<{ account: EnrolledAccount }>({
    text: ({ account }) => `customer ${account.customerId} enrolled in ${account.programId}`,
    apply: ({ loyalty: { host } }, { account }, at) =>
      addAccount(host, createAccountRecord(account, at)),
  }),
  /** News of an order changed its status at the host. */
  'loyalty.order-heard': factRow<OrderUpdate>({
    text: ({ news }) => `Loyalty learns that the order is ${news}`,
    apply: ({ loyalty: { host } }, fact) => applyOrderNews(host, fact),
  }),
  /** A rejected redemption was answered with 202 and has no effect. */
  'loyalty.redemption-declined': factRow<{
    accountId: string
    rewardId: string
    because: string
  }>({
    text: ({ rewardId, because }) => `redemption of ${rewardId} will have no effect: ${because}`,
  }),
  /** An accepted redemption was completed. */
  'loyalty.redemption-completed': factRow<{ redemptionId: string; couponId: string }>({
    text: () => 'redemption done',
    apply: ({ loyalty: { host } }, { redemptionId, couponId }) =>
      changeRedemption(host, redemptionId, { status: 'COMPLETED', couponId }),
  }),
  /** A coupon was issued. */
  'loyalty.coupon-issued': factRow<{ coupon: CouponRecord }>({
    text: ({ coupon }) => `coupon ${coupon.code} (${coupon.type}) issued`,
    apply: ({ loyalty: { host } }, { coupon }) => addCoupon(host, coupon),
  }),
  /** A coupon changed its status. */
  'loyalty.coupon-moved': factRow<
    CouponStep & {
      couponId: string
      from: CouponStatus
      /** Forced by a command against the lifecycle. */
      forced?: true
    }
  >({
    text: (fact) => `coupon ${fact.from} > ${fact.to}${byForce(fact)}`,
    apply({ loyalty: { host } }, fact, at) {
      const coupon = host.coupons.get(fact.couponId)
      if (!coupon) return
      host.coupons.set(coupon.id, reduceCoupon(coupon, fact, at))
      if (fact.orderId !== undefined) attachCoupon(host, fact.orderId, coupon)
    },
  }),
  /** The CRM received a loyalty event. */
  'loyalty.event-heard': factRow<{ eventId: string; eventType: string }>({
    text: ({ eventType }) => `CRM received ${eventType}`,
    apply: ({ loyalty: { host } }, { eventId }) =>
      addBounded(host.seenEvents, eventId, loyaltyBounds.seenEvents),
  }),
  /** The CRM received a duplicate loyalty event and ignored it. */
  'loyalty.event-repeated': factRow<{ eventId: string }>({
    text: () => 'CRM received a loyalty event again',
  }),
}

export type LoyaltyHostFact = FactIn<typeof loyaltyHostFacts>
