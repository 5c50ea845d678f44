/**
 * Identifies the caller of a request without a token (manifest, token request): our own calls by their X-Request-Id
 * while in flight, token requests by the client id in the body. Otherwise the traffic log would attribute our own
 * roles' calls to the subject.
 */
import type { OutgoingCall } from '../../engine/calls/call.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import type { World } from '../../engine/world.ts'
import type { Role } from '../../protocol/role.ts'
import type { IncomingRequest } from './messages.ts'

/** The client id of a token request, in a form or in JSON. */
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

/** Our own call in flight that has the X-Request-Id of this request. */
export function findOwnCall(
  { header }: IncomingRequest,
  host: Role,
  { calls }: World,
): OutgoingCall | undefined {
  const requestId = header('x-request-id')
  if (requestId === undefined) return undefined
  for (const call of calls.values())
    if (call.requestId === requestId && call.to === host) return call
  return undefined
}

/** The client that the body of a token request names. */
export function clientNamedInBody(
  { body }: IncomingRequest,
  { clients }: Settings,
): Client | undefined {
  const clientId = clientIdIn(body)
  return clientId === undefined ? undefined : clients.find((each) => each.clientId === clientId)
}

/** Undefined when the caller cannot be identified. */
export const identifyCaller = (
  request: IncomingRequest,
  host: Role,
  { world, settings }: Engine,
): Role | undefined =>
  findOwnCall(request, host, world)?.from ?? clientNamedInBody(request, settings)?.role
