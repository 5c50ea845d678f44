/**
 * Access control of requests: a token in the Authorization header and nowhere else (AUT-GEN-01, AUT-GEN-02), its scope,
 * and a webhook's signature. Applies the rules of the protocol and the session to a request.
 */
import { compact } from '../../base/compact.ts'
import { scopesAllow, scopeRequirementText } from '../../protocol/auth/scopes.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Role } from '../../protocol/role.ts'
import { findAccessToken } from '../../engine/auth/access-token.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Client } from '../../engine/settings.ts'
import { contentOf, type IncomingRequest } from './messages.ts'
import { isSignatureValid } from '../client/signature.ts'
import { findOwnCall } from './identify-caller.ts'

export interface AccessControl {
  /** The client that calls; undefined for an operation with open access. */
  readonly admit: (
    row: CatalogueRow,
    request: IncomingRequest,
  ) => Result<Client | undefined, Refusal>
}

const unauthorized = (message: string): Result<never, Refusal> =>
  err({ code: 'UNAUTHORIZED', message })

/** The token of `Bearer <token>`; the fast path covers the usual spelling, the pattern other case and more blanks. */
const bearerToken = (authorization: string): string =>
  authorization.startsWith('Bearer ') && authorization[7] !== ' '
    ? authorization.slice(7)
    : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')

export function createAccessControl(engine: Engine, role: Role): AccessControl {
  const { settings, world } = engine
  const { conduct } = settings
  // Of two clients with one id the first counts, as at the token endpoint.
  const clients = new Map(settings.clients.toReversed().map((client) => [client.clientId, client]))

  /** The client of the token in the Authorization header, the only place for one (AUT-GEN-01). */
  function bearer(row: CatalogueRow, request: IncomingRequest): Result<Client, Refusal> {
    const authorization = request.header('authorization')
    if (!authorization) return unauthorized('a Bearer token is needed in the Authorization header')
    const token = findAccessToken(bearerToken(authorization), role, world, settings)
    if (!token) return unauthorized('the token is unknown here')
    if (token.expiresAt <= engine.now()) return unauthorized('the token has expired')
    const client = clients.get(token.clientId)
    if (!client) return unauthorized('the token is of no client')
    if (typeof row.access === 'object') {
      const { scope, fine } = row.access
      const { scopePrefix } = settings.protocol
      const demand = { scope, ...compact({ fine }), strict: conduct.strict }
      if (!scopesAllow(token.scopes, demand, scopePrefix))
        return err({
          code: 'FORBIDDEN',
          message: `${row.id} needs the scope ${scopeRequirementText(demand, scopePrefix)}; the token has ${[...token.scopes].join(' ')}`,
        })
    }
    return ok(client)
  }

  /** A webhook's sender, by its signature; a token is required too unless `signature` is enough. */
  function webhookSender(
    row: CatalogueRow,
    request: IncomingRequest,
  ): Result<Client | undefined, Refusal> {
    const signature = request.header('x-app-signature')
    // A role is no caller of its own host.
    const senders = settings.clients.filter(
      (client) => client.role !== role && row.callers.includes(client.role),
    )
    const receivers = settings.clients.filter((client) => client.role === role)
    const hasSigned = ({ clientSecret }: Client): boolean =>
      signature !== undefined && isSignatureValid(contentOf(request) ?? '', clientSecret, signature)
    // The receiver's secret is the usual one, and does not tell who has signed.
    const isOfReceiver = receivers.some(hasSigned)
    const possible = isOfReceiver ? senders : senders.filter(hasSigned)
    const isSigned = isOfReceiver || possible.length > 0
    if (signature !== undefined && !isSigned)
      return err({ code: 'UNAUTHORIZED', message: 'X-App-Signature does not fit the body' })
    if (conduct.webhookAccess !== 'signature') return bearer(row, request)
    if (!isSigned)
      return err({ code: 'UNAUTHORIZED', message: 'the webhook has no X-App-Signature' })
    const caller = findOwnCall(request, row.id, role, engine)?.from ?? settings.subject
    return ok(possible.find((client) => client.role === caller) ?? possible[0])
  }

  return {
    admit(row, request) {
      if (row.access === 'open') return ok(undefined)
      return row.webhook ? webhookSender(row, request) : bearer(row, request)
    },
  }
}
