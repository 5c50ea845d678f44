/** The decision of each command of Loyalty. */
import { compact } from '../../base/compact.ts'
import { readLoyaltyEvent } from '../../protocol/loyalty/event.ts'
import { ok } from '../../protocol/result.ts'
import type { Decisions } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { refuse } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import {
  adjustPoints,
  ageLot,
  enroll,
  expireAvailablePoints,
  moveLoyaltyAccount,
} from './account-commands.ts'
import type { LoyaltyCommand } from './commands.ts'
import { grantCoupon, moveCouponByCommand } from './coupon-commands.ts'
import { moveCoupon } from './coupon-moves.ts'
import { callRedemption, readResource } from './guest-commands.ts'
import { openLedger } from './ledger.ts'
import { decideOrderNews } from './order-commands.ts'
import { completeRedemption, redeemReward, reverseByCommand } from './redemption-commands.ts'

/** The initial facts of a session: programs and rewards exist before the first request. */
export const initialLoyaltyFacts = ({ roles, switchedOff, loyalty }: Settings): readonly Fact[] =>
  roles.includes('crm') && !switchedOff.has('loyalty')
    ? [{ kind: 'loyalty.opened', ...loyalty }]
    : []

export const loyaltyDecisions: Decisions<LoyaltyCommand> = {
  'loyalty.store-programs': ({ programs }) =>
    ok(programs.map((program) => ({ kind: 'loyalty.program-stored', program }))),
  'loyalty.store-reward': ({ reward }, { world }) =>
    world.loyalty.host.programs.has(reward.programId)
      ? ok([{ kind: 'loyalty.reward-stored', reward }])
      : refuse('NOT_FOUND', `there is no program ${reward.programId}`),
  'loyalty.enroll': enroll,
  'loyalty.move-account': moveLoyaltyAccount,
  'loyalty.adjust': adjustPoints,
  'loyalty.expire': expireAvailablePoints,
  'loyalty.age-lot': ageLot,
  'loyalty.redeem': redeemReward,
  'loyalty.complete-redemption': completeRedemption,
  'loyalty.reverse-redemption': reverseByCommand,
  'loyalty.grant-coupon': grantCoupon,
  'loyalty.move-coupon': moveCouponByCommand,
  'loyalty.age-coupon'({ couponId }, context) {
    const ledger = openLedger(context)
    moveCoupon(couponId, 'expire', {}, ledger)
    return ok(ledger.facts())
  },
  'loyalty.order-news': decideOrderNews,
  // Both sides deduplicate events by their id (document 1, Events).
  'loyalty.notify'({ event }, { world }) {
    const { key: eventId, eventType } = readLoyaltyEvent(event)
    return ok([
      world.loyalty.host.seenEvents.has(eventId)
        ? { kind: 'loyalty.event-repeated', eventId }
        : { kind: 'loyalty.event-heard', eventId, eventType },
    ])
  },
  'reward.read': readResource,
  'reward.redeem': callRedemption,
  'reward.notify'({ event }, { world }) {
    const { key: eventId, eventType, accountId, orderId } = readLoyaltyEvent(event)
    return ok([
      world.loyalty.guest.seenEvents.has(eventId)
        ? { kind: 'reward.event-repeated', eventId }
        : { kind: 'reward.heard', eventId, eventType, ...compact({ accountId, orderId }) },
    ])
  },
}
