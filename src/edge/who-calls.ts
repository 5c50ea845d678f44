/**
 * Who makes a request that no token tells: a manifest, a token. A call of our own is known by its X-Request-Id while it
 * is under way, and whoever asks for a token says so in the body. Without this the traffic would lay our own roles'
 * calls at the subject's door.
 */
import type { Engine } from '../engine/engine.ts'
import type { Role } from '../protocol/role.ts'
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

/** Undefined when nothing says so. */
export function whoCalls(
  { header, body }: Incoming,
  host: Role,
  { world, settings }: Engine,
): Role | undefined {
  const requestId = header('x-request-id')
  if (requestId !== undefined)
    for (const call of world.calls.values())
      if (call.requestId === requestId && call.to === host) return call.from
  const clientId = clientIdIn(body)
  return clientId === undefined
    ? undefined
    : settings.clients.find((each) => each.clientId === clientId)?.role
}
