/** Commands of Loyalty: `loyalty.…` at the host, `reward.…` at the client. */
import { z } from 'zod'
import { accountControls } from '../../protocol/loyalty/account-lifecycle.ts'
import { couponTriggers, couponTypes } from '../../protocol/loyalty/coupon.ts'
import { LoyaltyEventBody, readLoyaltyEvent } from '../../protocol/loyalty/event.ts'
import { orderNewsKinds } from '../../protocol/loyalty/order-standing.ts'
import { Program, Reward } from '../../protocol/loyalty/program.ts'
import { RedemptionRequest } from '../../protocol/loyalty/redemption.ts'
import { type CommandIn, commandRow, idField, trueField } from '../command-row.ts'
import { listCount, signedText } from '../short-text.ts'

const maxPoints = 1_000_000_000
const someId = z.exactOptional(idField)

const forcedText = (force: true | undefined): string => (force ? ', forced' : '')

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

export const loyaltyCommands = {
  /** Stores programs, new or changed. */
  'loyalty.store-programs': commandRow({
    shape: () => ({ programs: z.array(Program).min(1).max(100) }),
    text: ({ programs }) => `${listCount(programs, 'loyalty program')} stored`,
  }),
  /** Stores a reward, new or changed. */
  'loyalty.store-reward': commandRow({
    shape: () => ({ reward: Reward }),
    text: ({ reward }) => `reward ${reward.name} is stored`,
  }),
  /** Gives a customer an account in a program. */
  'loyalty.enroll': commandRow({
    shape: () => ({ customerId: idField, programId: idField }),
    text: ({ customerId, programId }) => `${customerId} is enrolled in ${programId}`,
  }),
  /** Suspends or reactivates an account. */
  'loyalty.move-account': commandRow({
    shape: () => ({
      accountId: idField,
      trigger: z.enum(accountControls),
      /** Moves it even if the lifecycle has no such transition. */
      force: trueField,
    }),
    text: ({ trigger, force }) => `${trigger} of a loyalty account${forcedText(force)}`,
  }),
  /** Adds points, or removes at most the available ones. */
  'loyalty.adjust': commandRow({
    shape: () => ({
      accountId: idField,
      points: z.int().min(-maxPoints).max(maxPoints),
      reason: z.exactOptional(z.string().max(200)),
    }),
    text: ({ points }) => `${signedText(points)} points by hand`,
  }),
  /** Expires points, oldest first; default: all available points. */
  'loyalty.expire': commandRow({
    shape: () => ({
      accountId: idField,
      points: z.exactOptional(z.int().min(1).max(maxPoints)),
    }),
    text: ({ points }) => `${points ?? 'all'} points expire`,
  }),
  /** Checks a lot of points for `expiring soon` and for expiry. */
  'loyalty.age-lot': commandRow({
    shape: () => ({ accountId: idField, lotId: idField }),
    text: () => 'points age',
  }),
  /** Redeems a reward: checks and reserves the points now; completes asynchronously. */
  'loyalty.redeem': commandRow({
    shape: () => ({ request: RedemptionRequest }),
    text: ({ request }) => `${request.rewardId} is redeemed`,
  }),
  /** Completes an accepted redemption. */
  'loyalty.complete-redemption': commandRow({
    shape: () => ({ redemptionId: idField }),
    text: () => 'a redemption takes effect',
  }),
  /** Reverses a redemption: returns its points and cancels its coupon. */
  'loyalty.reverse-redemption': commandRow({
    shape: () => ({ redemptionId: idField }),
    text: () => 'a redemption is reversed',
  }),
  /** Grants a coupon without a redemption. */
  'loyalty.grant-coupon': commandRow({
    shape: () => ({
      accountId: idField,
      type: z.enum(couponTypes),
      value: z.exactOptional(z.number().min(0).max(maxPoints)),
    }),
    text: ({ type }) => `a ${type} coupon is given`,
  }),
  /** Moves a coupon: apply to an order, use, release, expire or cancel. */
  'loyalty.move-coupon': commandRow({
    shape: () => ({
      couponId: idField,
      trigger: z.enum(couponTriggers),
      orderId: someId,
      /** Moves it even if the lifecycle has no such transition. */
      force: trueField,
    }),
    text: ({ trigger, force }) => `${trigger} of a coupon${forcedText(force)}`,
  }),
  /** Expires a coupon, unless it is used already. */
  'loyalty.age-coupon': commandRow({
    shape: () => ({ couponId: idField }),
    text: () => 'a coupon expires',
  }),
  /** Tells the host of a change of an order. */
  'loyalty.order-news': commandRow({
    shape: () => ({
      orderId: idField,
      /** Optional if the order is known. */
      customerId: someId,
      news: z.enum(orderNewsKinds),
      merchantId: someId,
      amount: z.exactOptional(z.number()),
      /** Codes of the coupons named by the order. */
      couponCodes: z.exactOptional(z.array(z.string()).max(100)),
    }),
    text: ({ news }) => `Loyalty learns that the order is ${news}`,
  }),
  /** The CRM receives a loyalty event. */
  'loyalty.notify': commandRow({
    shape: () => ({ event: LoyaltyEventBody }),
    text: ({ event }) => `${readLoyaltyEvent(event).eventType} reaches CRM`,
  }),
  /** The Ordering Application reads a resource of the Loyalty host. */
  'reward.read': commandRow({
    shape: () => ({
      what: z.enum(readableResources),
      customerId: someId,
      accountId: someId,
      /** The order that is the reason for the read. */
      orderId: someId,
    }),
    text: ({ what }) => `OA reads ${what}`,
  }),
  /** The Ordering Application redeems a reward for a customer. */
  'reward.redeem': commandRow({
    shape: () => ({
      accountId: idField,
      rewardId: idField,
      quantity: z.exactOptional(z.int().min(1).max(1000)),
      orderId: someId,
    }),
    text: ({ rewardId }) => `OA redeems ${rewardId}`,
  }),
  /** The Ordering Application receives a loyalty event. */
  'reward.notify': commandRow({
    shape: () => ({ event: LoyaltyEventBody }),
    text: ({ event }) => `${readLoyaltyEvent(event).eventType} reaches OA`,
  }),
}

export type LoyaltyCommand = CommandIn<typeof loyaltyCommands>
