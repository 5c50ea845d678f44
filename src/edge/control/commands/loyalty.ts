/** Schemas of the Loyalty commands. */
import { z } from 'zod'
import { readableResources } from '../../../engine/loyalty/command.ts'
import { accountControls } from '../../../protocol/loyalty/account-lifecycle.ts'
import { couponTriggers, couponTypes } from '../../../protocol/loyalty/coupon.ts'
import { LoyaltyEventBody } from '../../../protocol/loyalty/event.ts'
import { orderNewsKinds } from '../../../protocol/loyalty/order-standing.ts'
import { Program, Reward } from '../../../protocol/loyalty/program.ts'
import { RedemptionRequest } from '../../../protocol/loyalty/redemption.ts'
import { command, id, yes } from './row.ts'

const maxPoints = 1_000_000_000
const someId = z.exactOptional(id)

export const loyaltyCommands = {
  'loyalty.store-programs': command('loyalty.store-programs', {
    programs: z.array(Program).min(1).max(100),
  }),
  'loyalty.store-reward': command('loyalty.store-reward', { reward: Reward }),
  'loyalty.enroll': command('loyalty.enroll', { customerId: id, programId: id }),
  'loyalty.move-account': command('loyalty.move-account', {
    accountId: id,
    trigger: z.enum(accountControls),
    force: yes,
  }),
  'loyalty.adjust': command('loyalty.adjust', {
    accountId: id,
    points: z.int().min(-maxPoints).max(maxPoints),
    reason: z.exactOptional(z.string().max(200)),
  }),
  'loyalty.expire': command('loyalty.expire', {
    accountId: id,
    points: z.exactOptional(z.int().min(1).max(maxPoints)),
  }),
  'loyalty.age-lot': command('loyalty.age-lot', { accountId: id, lotId: id }),
  'loyalty.redeem': command('loyalty.redeem', { request: RedemptionRequest }),
  'loyalty.complete-redemption': command('loyalty.complete-redemption', { redemptionId: id }),
  'loyalty.reverse-redemption': command('loyalty.reverse-redemption', { redemptionId: id }),
  'loyalty.grant-coupon': command('loyalty.grant-coupon', {
    accountId: id,
    type: z.enum(couponTypes),
    value: z.exactOptional(z.number().min(0).max(maxPoints)),
  }),
  'loyalty.move-coupon': command('loyalty.move-coupon', {
    couponId: id,
    trigger: z.enum(couponTriggers),
    orderId: someId,
    force: yes,
  }),
  'loyalty.age-coupon': command('loyalty.age-coupon', { couponId: id }),
  'loyalty.order-news': command('loyalty.order-news', {
    orderId: id,
    customerId: someId,
    news: z.enum(orderNewsKinds),
    merchantId: someId,
    amount: z.exactOptional(z.number()),
    couponCodes: z.exactOptional(z.array(z.string()).max(100)),
  }),
  'loyalty.notify': command('loyalty.notify', { event: LoyaltyEventBody }),
  'reward.read': command('reward.read', {
    what: z.enum(readableResources),
    customerId: someId,
    accountId: someId,
    orderId: someId,
  }),
  'reward.redeem': command('reward.redeem', {
    accountId: id,
    rewardId: id,
    quantity: z.exactOptional(z.int().min(1).max(1000)),
    orderId: someId,
  }),
  'reward.notify': command('reward.notify', { event: LoyaltyEventBody }),
}
