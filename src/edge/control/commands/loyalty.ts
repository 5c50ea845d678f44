/** Schemas of the Loyalty commands. */
import { z } from 'zod'
import { readableResources } from '../../../engine/loyalty/command.ts'
import { accountControls } from '../../../protocol/loyalty/account-lifecycle.ts'
import { couponTriggers, couponTypes } from '../../../protocol/loyalty/coupon.ts'
import { LoyaltyEventBody } from '../../../protocol/loyalty/event.ts'
import { orderNewsKinds } from '../../../protocol/loyalty/order-standing.ts'
import { Program, Reward } from '../../../protocol/loyalty/program.ts'
import { RedemptionRequest } from '../../../protocol/loyalty/redemption.ts'
import { idField, trueField } from '../../../engine/command-row.ts'
import { commandSchema } from './row.ts'

const maxPoints = 1_000_000_000
const someId = z.exactOptional(idField)

export const loyaltyCommands = {
  'loyalty.store-programs': commandSchema('loyalty.store-programs', {
    programs: z.array(Program).min(1).max(100),
  }),
  'loyalty.store-reward': commandSchema('loyalty.store-reward', { reward: Reward }),
  'loyalty.enroll': commandSchema('loyalty.enroll', { customerId: idField, programId: idField }),
  'loyalty.move-account': commandSchema('loyalty.move-account', {
    accountId: idField,
    trigger: z.enum(accountControls),
    force: trueField,
  }),
  'loyalty.adjust': commandSchema('loyalty.adjust', {
    accountId: idField,
    points: z.int().min(-maxPoints).max(maxPoints),
    reason: z.exactOptional(z.string().max(200)),
  }),
  'loyalty.expire': commandSchema('loyalty.expire', {
    accountId: idField,
    points: z.exactOptional(z.int().min(1).max(maxPoints)),
  }),
  'loyalty.age-lot': commandSchema('loyalty.age-lot', { accountId: idField, lotId: idField }),
  'loyalty.redeem': commandSchema('loyalty.redeem', { request: RedemptionRequest }),
  'loyalty.complete-redemption': commandSchema('loyalty.complete-redemption', {
    redemptionId: idField,
  }),
  'loyalty.reverse-redemption': commandSchema('loyalty.reverse-redemption', {
    redemptionId: idField,
  }),
  'loyalty.grant-coupon': commandSchema('loyalty.grant-coupon', {
    accountId: idField,
    type: z.enum(couponTypes),
    value: z.exactOptional(z.number().min(0).max(maxPoints)),
  }),
  'loyalty.move-coupon': commandSchema('loyalty.move-coupon', {
    couponId: idField,
    trigger: z.enum(couponTriggers),
    orderId: someId,
    force: trueField,
  }),
  'loyalty.age-coupon': commandSchema('loyalty.age-coupon', { couponId: idField }),
  'loyalty.order-news': commandSchema('loyalty.order-news', {
    orderId: idField,
    customerId: someId,
    news: z.enum(orderNewsKinds),
    merchantId: someId,
    amount: z.exactOptional(z.number()),
    couponCodes: z.exactOptional(z.array(z.string()).max(100)),
  }),
  'loyalty.notify': commandSchema('loyalty.notify', { event: LoyaltyEventBody }),
  'reward.read': commandSchema('reward.read', {
    what: z.enum(readableResources),
    customerId: someId,
    accountId: someId,
    orderId: someId,
  }),
  'reward.redeem': commandSchema('reward.redeem', {
    accountId: idField,
    rewardId: idField,
    quantity: z.exactOptional(z.int().min(1).max(1000)),
    orderId: someId,
  }),
  'reward.notify': commandSchema('reward.notify', { event: LoyaltyEventBody }),
}
