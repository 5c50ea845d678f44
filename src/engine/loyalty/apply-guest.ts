/** Reducer for the Ordering Application's Loyalty data: resources last read, and ids of received events. */
import { addBounded, setBounded } from '../bounded.ts'
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'
import { unreachable } from '../../protocol/result.ts'
import type { LoyaltyGuestFact } from './fact.ts'
import { loyaltyBounds, type LoyaltyGuestWorld } from './world.ts'

/** An account without an id is not stored: it could be neither read again nor named in a redemption. */
function storeAccount({ accounts }: LoyaltyGuestWorld, account: LoyaltyAccount): void {
  if (account.id !== undefined)
    setBounded(accounts, account.id, account, loyaltyBounds.accountsRead)
}

export function applyLoyaltyGuest(world: LoyaltyGuestWorld, fact: LoyaltyGuestFact): void {
  switch (fact.kind) {
    case 'reward.rewards-read':
      for (const reward of fact.rewards)
        setBounded(world.rewards, reward.id, reward, loyaltyBounds.rewards)
      return
    case 'reward.accounts-read':
      for (const account of fact.accounts) storeAccount(world, account)
      return
    case 'reward.account-read':
      return storeAccount(world, fact.account)
    case 'reward.heard':
      addBounded(world.seenEvents, fact.eventId, loyaltyBounds.seenEvents)
      return
    case 'reward.list-read':
    case 'reward.asked':
    case 'reward.accepted':
    case 'reward.refused':
    case 'reward.event-repeated':
      return
    default:
      return unreachable(fact)
  }
}
