/**
 * The URL of a call: from the endpoint that the receiver's manifest declares for the capability, else from this
 * session's dialect (TRN-CON-05). Only hosts that the user configured are called.
 */
import { operation } from '../../protocol/catalogue.ts'
import { pathOverrideOf, pathPrefixOf, writtenPath } from '../../protocol/dialects/paths.ts'
import { fillPath, type Operation, pathForParameters } from '../../protocol/operation.ts'
import type { CallIntent } from '../../engine/calls/call.ts'
import { furtherPlatformOf } from '../../engine/logistics/platforms.ts'
import type { Settings } from '../../engine/settings.ts'
import { partnerOf, type World } from '../../engine/world.ts'
import type { Destination } from './destinations.ts'

export interface CallUrlContext {
  readonly settings: Settings
  readonly world: World
}

const sameHost = (url: string, base: string): boolean => new URL(url).host === new URL(base).host

/** The declared base URL of the capability, if it is on the configured host; else the configured base URL. */
function baseOf(
  { from, to, platform }: CallIntent,
  row: Operation,
  receiver: Destination,
  { settings, world }: CallUrlContext,
): string {
  const partner =
    platform === undefined ? partnerOf(world, from, to) : furtherPlatformOf(from, platform, world)
  const declared = partner?.manifest?.capabilities[row.capability]
  const endpoint = declared?.endpoint?.replace(/\/+$/, '')
  // A manifest that points to another host is not followed.
  if (endpoint !== undefined && URL.canParse(endpoint) && sameHost(endpoint, receiver.base))
    return endpoint
  // Base paths per capability are a choice of our own hosts; other implementations need not have them.
  const ownPath = receiver.party === 'sparring' ? (row.basePath?.[to] ?? '') : ''
  return `${receiver.base}${pathPrefixOf(row, settings.conduct)}${ownPath}`
}

export function callUrl(call: CallIntent, receiver: Destination, context: CallUrlContext): string {
  const row: Operation = operation(call.operation)
  const { protocol, conduct } = context.settings
  const ownPath = pathOverrideOf(row, conduct)
  const base =
    row.webhook || ownPath !== undefined ? receiver.base : baseOf(call, row, receiver, context)
  const params = { protocol: protocol.name, ...call.params }
  const ownPattern = ownPath ?? pathForParameters(row, params)
  const path = fillPath(row.webhook ? receiver.webhooks[row.webhook] : ownPattern, params)
  const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : ''
  return `${base}${writtenPath(path, conduct)}${query}`
}
