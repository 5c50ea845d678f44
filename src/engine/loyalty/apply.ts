/** Reducer for the facts of Loyalty. */
import { isOf } from '../of-kind.ts'
import type { Instant } from '../instant.ts'
import { unreachable } from '../../protocol/result.ts'
import type { LoyaltyFact } from './fact.ts'
import { applyGuest } from './guest-facts.ts'
import { applyHost } from './host-facts.ts'
import type { LoyaltyWorld } from './world.ts'

export function applyLoyalty(world: LoyaltyWorld, fact: LoyaltyFact, at: Instant): void {
  if (isOf(fact, 'loyalty')) return applyHost(world.host, fact, at)
  if (isOf(fact, 'reward')) return applyGuest(world.guest, fact)
  return unreachable(fact)
}
