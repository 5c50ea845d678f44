/** Reducer for the facts of Loyalty. */
import { isOfCapability } from '../capability-kind.ts'
import type { Instant } from '../instant.ts'
import { unreachable } from '../../protocol/result.ts'
import type { LoyaltyFact } from './fact.ts'
import { applyLoyaltyGuest } from './apply-guest.ts'
import { applyLoyaltyHost } from './apply-host.ts'
import type { LoyaltyWorld } from './world.ts'

export function applyLoyalty(world: LoyaltyWorld, fact: LoyaltyFact, at: Instant): void {
  if (isOfCapability(fact, 'loyalty')) return applyLoyaltyHost(world.host, fact, at)
  if (isOfCapability(fact, 'reward')) return applyLoyaltyGuest(world.guest, fact)
  return unreachable(fact)
}
