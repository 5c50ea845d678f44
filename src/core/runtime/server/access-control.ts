/**
 * Access control of requests: a token in the Authorization header and nowhere else (AUT-GEN-01, AUT-GEN-02), its scope,
 * and a webhook's signature. Applies the rules of the protocol and the session to a request.
 */
import { joinUrl } from '../../base/join-url.ts'
import { compact } from '../../base/compact.ts'
import { scopesAllow, scopeRequirementText } from '../../protocol/auth/scopes.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Role } from '../../protocol/role.ts'
import { type SignatureForm, signatureFormOf, webhookAccessOf } from '../../protocol/signature.ts'
import { findAccessToken } from '../../engine/auth/access-token.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Client } from '../../engine/settings.ts'
import { contentOf, type IncomingRequest } from './messages.ts'
import { isSignatureValid, type SignedParts, validFormOf } from '../client/signature.ts'
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

/** The URLs that a caller may have signed: ours, and those by which a proxy in front of us is called. */
function signedUrls({ target, header }: IncomingRequest, base: string): readonly string[] {
  const origin = new URL(base).origin
  const hosts = [header('host'), header('x-forwarded-host')].flatMap((host) => host ?? [])
  const origins = hosts.flatMap((host) => [`http://${host}`, `https://${host}`])
  return [joinUrl(base, target), ...[origin, ...origins].map((each) => `${each}${target}`)]
}

export function createAccessControl(engine: Engine, role: Role, base: () => string): AccessControl {
  const { settings, world } = engine
  const { conduct } = settings
  // Settings change while a session runs.
  const formNow = (): SignatureForm | undefined => signatureFormOf(conduct)
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

  /** What a caller may have signed, once for each URL that the request may have. */
  const partsOf = (request: IncomingRequest): readonly SignedParts[] =>
    signedUrls(request, base()).map((url) => ({ url, body: contentOf(request) ?? '' }))

  const signatureOf = (request: IncomingRequest): string | undefined => {
    const form = formNow()
    return form && request.header(form.header.toLowerCase())
  }

  /** Whether the request has a signature, and it is made with this client's secret. */
  function isSignedBy({ clientSecret }: Client, request: IncomingRequest): boolean {
    const form = formNow()
    const signature = signatureOf(request)
    if (form === undefined || signature === undefined) return false
    const all = partsOf(request)
    // The URL is not part of a signature over the body.
    const parts = form.over === 'request' ? all : all.slice(0, 1)
    return parts.some((each) => isSignatureValid(each, clientSecret, signature, form))
  }

  /** What is wrong with a request whose signature does not hold, or is missing. */
  function signatureProblem(request: IncomingRequest, signers: readonly Client[]): string {
    const { header: name = '', over = 'body' } = formNow() ?? {}
    const isUnsigned = signatureOf(request) === undefined
    const problem = isUnsigned
      ? `the ${over === 'request' ? 'request' : 'webhook'} has no ${name}`
      : `${name} does not fit the ${over}`
    const secrets = signers.map(({ clientSecret }) => clientSecret)
    const other = partsOf(request)
      .map((parts) => validFormOf(parts, secrets, request.header))
      .find((found) => found !== undefined)
    if (other !== undefined)
      return `${problem}: it is signed as by conduct.signature: ${other}, and here that is ${conduct.signature}`
    return isUnsigned && request.header('authorization')
      ? `${problem}; a token is enough with conduct.signature: none`
      : problem
  }

  /** A client of which every call is signed; one without a signature is taken, and gets advice. */
  function signedBearer(row: CatalogueRow, request: IncomingRequest): Result<Client, Refusal> {
    const client = bearer(row, request)
    const isWrong =
      client.ok &&
      formNow()?.over === 'request' &&
      signatureOf(request) !== undefined &&
      !isSignedBy(client.value, request)
    return isWrong ? unauthorized(signatureProblem(request, [client.value])) : client
  }

  /** A webhook's sender, by its signature; a token is required too unless `signature` is enough. */
  function webhookSender(
    row: CatalogueRow,
    request: IncomingRequest,
  ): Result<Client | undefined, Refusal> {
    const signature = signatureOf(request)
    // A role is no caller of its own host.
    const senders = settings.clients.filter(
      (client) => client.role !== role && row.callers.includes(client.role),
    )
    const receivers = settings.clients.filter((client) => client.role === role)
    const hasSigned = (client: Client): boolean => isSignedBy(client, request)
    // The receiver's secret is the usual one, and does not tell who has signed.
    const isOfReceiver = receivers.some(hasSigned)
    const possible = isOfReceiver ? senders : senders.filter(hasSigned)
    const isSigned = isOfReceiver || possible.length > 0
    if (signature !== undefined && !isSigned)
      return unauthorized(signatureProblem(request, [...receivers, ...senders]))
    if (webhookAccessOf(conduct) !== 'signature') return bearer(row, request)
    if (!isSigned) return unauthorized(signatureProblem(request, [...receivers, ...senders]))
    const caller = findOwnCall(request, row.id, role, engine)?.from ?? settings.subject
    return ok(possible.find((client) => client.role === caller) ?? possible[0])
  }

  return {
    admit(row, request) {
      if (row.access === 'open') return ok(undefined)
      return row.webhook ? webhookSender(row, request) : signedBearer(row, request)
    },
  }
}
