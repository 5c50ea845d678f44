/**
 * Identifies the caller of a request without a token (manifest, token request): our own calls by their X-Request-Id
 * while in flight, token requests by the client id in the body. Otherwise the traffic log would attribute our own
 * roles' calls to the subject.
 */
import type { OutgoingCall } from '../../engine/calls/call.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import { textMember } from '../../protocol/unknown-record.ts'
import { tokenFieldsIn } from '../../traffic/token-fields.ts'
import type { IncomingRequest } from './messages.ts'

/**
 * Our own call in flight that has the X-Request-Id of this request; where calls carry none, one of this operation.
 */
export function findOwnCall(
  { header }: IncomingRequest,
  operation: OperationId,
  host: Role,
  { world, settings }: Pick<Engine, 'world' | 'settings'>,
): OutgoingCall | undefined {
  const requestId = header('x-request-id')
  const isOf = settings.conduct.requestIds
    ? (call: OutgoingCall) => call.requestId === requestId
    : (call: OutgoingCall) => call.operation === operation
  if (settings.conduct.requestIds && requestId === undefined) return undefined
  for (const call of world.calls.values()) if (call.to === host && isOf(call)) return call
  return undefined
}

/** The client that the body of a token request names. */
export function clientNamedInBody(
  { body }: IncomingRequest,
  { clients, conduct }: Settings,
): Client | undefined {
  const clientId =
    body === '' ? undefined : textMember(tokenFieldsIn(body, bodyTranslator(conduct)), 'client_id')
  return clientId === undefined ? undefined : clients.find((each) => each.clientId === clientId)
}

/** Undefined when the caller cannot be identified. */
export const identifyCaller = (
  request: IncomingRequest,
  operation: OperationId,
  host: Role,
  engine: Engine,
): Role | undefined =>
  findOwnCall(request, operation, host, engine)?.from ??
  clientNamedInBody(request, engine.settings)?.role
