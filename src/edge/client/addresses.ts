/**
 * The URL of a call: from the endpoint that the receiver's manifest declares for the capability, else from this session's
 * dialect (TRN-CON-05). Only hosts that the user configured are called.
 */
import { operation } from '../../protocol/catalogue.ts'
import { ownPathOf, prefixOf } from '../../protocol/dialects/paths.ts'
import { fillPath, type Operation, pathWith } from '../../protocol/operation.ts'
import type { CallIntent } from '../../engine/calls/call.ts'
import { furtherPlatformOf } from '../../engine/logistics/platforms.ts'
import type { Settings } from '../../engine/settings.ts'
import { partnerOf, type World } from '../../engine/world.ts'
import type { Destination } from './destinations.ts'

export interface Neighbourhood {
  readonly settings: Settings
  readonly world: World
}

const sameHost = (url: string, base: string): boolean => new URL(url).host === new URL(base).host

/** The declared base URL of the capability, if it is on the configured host; else the configured base URL. */
function baseOf(
  { from, to, platform }: CallIntent,
  row: Operation,
  there: Destination,
  { settings, world }: Neighbourhood,
): string {
  const known =
    platform === undefined ? partnerOf(world, from, to) : furtherPlatformOf(from, platform, world)
  const declared = known?.manifest?.capabilities[row.capability]
  const endpoint = declared?.endpoint?.replace(/\/+$/, '')
  // A manifest that points to another host is not followed.
  if (endpoint !== undefined && URL.canParse(endpoint) && sameHost(endpoint, there.base))
    return endpoint
  // Base paths per capability are a choice of our own hosts; other implementations need not have them.
  const own = there.party === 'sparring' ? (row.basePath?.[to] ?? '') : ''
  return `${there.base}${prefixOf(row, settings.conduct)}${own}`
}

export function addressOf(call: CallIntent, there: Destination, place: Neighbourhood): string {
  const row: Operation = operation(call.operation)
  const { protocol, conduct } = place.settings
  const own = ownPathOf(row, conduct)
  const base = row.webhook || own !== undefined ? there.base : baseOf(call, row, there, place)
  const params = { protocol: protocol.name, ...call.params }
  const ours = own ?? pathWith(row, params)
  const path = fillPath(row.webhook ? there.webhooks[row.webhook] : ours, params)
  const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : ''
  return `${base}${conduct.colon === 'encoded' ? path.replaceAll(':', '%3A') : path}${query}`
}
