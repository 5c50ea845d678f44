/** Dispatches the commands of Loyalty to the functions that decide them. */
import { assertNever } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { decideAccount } from './account-commands.ts'
import type { LoyaltyCommand } from './command.ts'
import { decideCoupon } from './coupon-commands.ts'
import { decideGuest } from './guest-commands.ts'
import { decideOrderNews } from './order-commands.ts'
import { decideProgram } from './program-commands.ts'
import { decideReceivedEvent } from './receive-event.ts'
import { decideRedemption } from './redemption-commands.ts'

export function decideLoyalty(command: LoyaltyCommand, context: DecisionContext): Decision {
  switch (command.kind) {
    case 'loyalty.store-programs':
    case 'loyalty.store-reward':
      return decideProgram(command, context)
    case 'loyalty.enroll':
    case 'loyalty.move-account':
    case 'loyalty.adjust':
    case 'loyalty.expire':
    case 'loyalty.age-lot':
      return decideAccount(command, context)
    case 'loyalty.redeem':
    case 'loyalty.complete-redemption':
    case 'loyalty.reverse-redemption':
      return decideRedemption(command, context)
    case 'loyalty.grant-coupon':
    case 'loyalty.move-coupon':
    case 'loyalty.age-coupon':
      return decideCoupon(command, context)
    case 'loyalty.order-news':
      return decideOrderNews(command, context)
    case 'loyalty.notify':
    case 'reward.notify':
      return decideReceivedEvent(command, context)
    case 'reward.read':
    case 'reward.redeem':
      return decideGuest(command, context)
    default:
      return assertNever(command)
  }
}
