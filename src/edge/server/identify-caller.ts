/**
 * Who makes a request that no token tells: a manifest, a token. A call of our own is known by its X-Request-Id while it
 * is under way, and whoever asks for a token says so in the body. Without this the traffic would lay our own roles'
 * calls at the subject's door.
 */
import type { OutgoingCall } from '../../engine/calls/call.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import type { World } from '../../engine/world.ts'
import type { Role } from '../../protocol/role.ts'
import type { Incoming } from './messages.ts'

/** The client that a token is asked for, by form or by JSON. */
function clientIdIn(body: string): string | undefined {
  if (body === '') return undefined
  if (!body.startsWith('{')) return new URLSearchParams(body).get('client_id') ?? undefined
  try {
    const value: unknown = JSON.parse(body)
    const id: unknown =
      typeof value === 'object' && value !== null ? Reflect.get(value, 'client_id') : undefined
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

/** A call of our own that is under way, by the X-Request-Id that it goes out with. */
export function ownCall(
  { header }: Incoming,
  host: Role,
  { calls }: World,
): OutgoingCall | undefined {
  const requestId = header('x-request-id')
  if (requestId === undefined) return undefined
  for (const call of calls.values())
    if (call.requestId === requestId && call.to === host) return call
  return undefined
}

/** The client that a body names: that of somebody who asks for a token. */
export function clientNamed({ body }: Incoming, { clients }: Settings): Client | undefined {
  const clientId = clientIdIn(body)
  return clientId === undefined ? undefined : clients.find((each) => each.clientId === clientId)
}

/** Undefined when nothing says so. */
export const whoCalls = (
  request: Incoming,
  host: Role,
  { world, settings }: Engine,
): Role | undefined => ownCall(request, host, world)?.from ?? clientNamed(request, settings)?.role
