/** Reducer for the facts of Loyalty. */
import { isOfCapability } from '../capability-kind.ts'
import type { Instant } from '../instant.ts'
import { assertNever } from '../../protocol/result.ts'
import type { LoyaltyFact, LoyaltyGuestFact } from './fact.ts'
import { applyLoyaltyHost } from './apply-host.ts'
import { type LoyaltyWorld, loyaltyBounds, type LoyaltyGuestWorld } from './world.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { LoyaltyAccount } from '../../protocol/loyalty/account.ts'

/** An account without an id is not stored: it could be neither read again nor named in a redemption. */
function storeAccount({ accounts }: LoyaltyGuestWorld, account: LoyaltyAccount): void {
  if (account.id !== undefined)
    setBounded(accounts, account.id, account, loyaltyBounds.accountsRead)
}

function applyLoyaltyGuest(world: LoyaltyGuestWorld, fact: LoyaltyGuestFact): void {
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
      return assertNever(fact)
  }
}

export function applyLoyalty(world: LoyaltyWorld, fact: LoyaltyFact, at: Instant): void {
  if (isOfCapability(fact, 'loyalty')) return applyLoyaltyHost(world.host, fact, at)
  if (isOfCapability(fact, 'reward')) return applyLoyaltyGuest(world.guest, fact)
  return assertNever(fact)
}
