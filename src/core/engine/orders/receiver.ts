/** The event channels that the Software Service's manifest allows. */
import { isManifestRead } from '../calls/manifest-answer.ts'
import { partnerOf, type World } from '../world.ts'
import type { EventChannel } from '../emitted-event.ts'

/**
 * Whether the receiver's manifest excludes a channel (ORD-CHN-01). An unread manifest excludes nothing: it has not been
 * read yet, or its receiver is trusted without one. One that declares no Orders excludes both.
 */
export function isChannelExcluded(channel: EventChannel, world: World): boolean {
  const manifest = partnerOf(world, 'ordering-application', 'software-service')?.manifest
  if (!isManifestRead(manifest)) return false
  const { orders } = manifest.capabilities
  if (!orders) return true
  const { supportsPolling, supportsWebhook } = orders.receiver ?? {}
  return (channel === 'polling' ? supportsPolling : supportsWebhook) === false
}
