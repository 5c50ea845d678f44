/** Reducer for the facts of Logistics: dispatches to deliveries, platforms and shipments. */
import type { Instant } from '../instant.ts'
import { isOfCapability } from '../capability-kind.ts'
import { applyDelivery } from './delivery-facts.ts'
import type { LogisticsFact, PlatformFact } from './fact.ts'
import { platformKey } from './platforms.ts'
import { applyShipment } from './shipment-facts.ts'
import type { LogisticsWorld } from './world.ts'

export function applyLogistics(world: LogisticsWorld, fact: LogisticsFact, at: Instant): void {
  if (isOfCapability(fact, 'delivery')) return applyDelivery(world, fact, at)
  if (fact.kind === 'shipment.platform-accepted' || fact.kind === 'shipment.platform-rejected')
    return applyPlatform(world, fact)
  return applyShipment(world, fact, at)
}

/** Bounded by the configuration: at most ten platforms for each consumer. */
function applyPlatform({ platforms }: LogisticsWorld, fact: PlatformFact): void {
  const { role, platform, attempt } = fact
  const outcome =
    fact.kind === 'shipment.platform-accepted'
      ? { manifest: fact.manifest }
      : { because: fact.because }
  platforms.set(platformKey(role, platform), { attempt, ...outcome })
}
