/** What the Ordering Application knows of its receiver: the channels that the Software Service's manifest leaves open. */
import type { Channel } from '../fact.ts'
import { partnerOf, type World } from '../world.ts'

/**
 * Whether the receiver's manifest rules a channel out (ORD-CHN-01). One that was not read rules out nothing: it is not
 * there yet, or its receiver is trusted without one. One that declares no Orders at all rules out both.
 */
export function rulesOut(channel: Channel, world: World): boolean {
  const manifest = partnerOf(world, 'ordering-application', 'software-service')?.manifest
  // What stands for an unread manifest speaks no version; a valid one speaks at least one (DIS-FLD-10).
  if (!manifest || manifest.versions.length === 0) return false
  const { orders } = manifest.capabilities
  if (!orders) return true
  const { supportsPolling, supportsWebhook } = orders.receiver ?? {}
  return (channel === 'polling' ? supportsPolling : supportsWebhook) === false
}
