/** What the Ordering Application knows of Loyalty after a fact: what it read last, and which events it has taken. */
import { addBounded, setBounded } from '../bounded.ts'
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'
import { unreachable } from '../../protocol/result.ts'
import type { LoyaltyGuestFact } from './fact.ts'
import { loyaltyBounds, type LoyaltyGuestWorld } from './world.ts'

/** An account without an id cannot be asked for again, or named in a redemption by it. */
function remember({ accounts }: LoyaltyGuestWorld, account: LoyaltyAccount): void {
  if (account.id !== undefined)
    setBounded(accounts, account.id, account, loyaltyBounds.accountsRead)
}

export function applyGuest(world: LoyaltyGuestWorld, fact: LoyaltyGuestFact): void {
  switch (fact.kind) {
    case 'reward.rewards-read':
      for (const reward of fact.rewards)
        setBounded(world.rewards, reward.id, reward, loyaltyBounds.rewards)
      return
    case 'reward.accounts-read':
      for (const account of fact.accounts) remember(world, account)
      return
    case 'reward.account-read':
      return remember(world, fact.account)
    case 'reward.heard':
      addBounded(world.seen, fact.eventId, loyaltyBounds.seen)
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
