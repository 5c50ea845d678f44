/** Issues and revokes tokens of the roles that we play (AUT-TOK-02, AUT-TEN-02, AUT-CRE-01 to 03). */
import { allScopeNames, grantScopes, scopeName } from '../../protocol/auth/scopes.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Client, Settings } from '../settings.ts'
import type { AuthCommand } from './commands.ts'
import { composeAccessToken } from './access-token.ts'
import { credentialProblem } from './credentials.ts'
import { resolveRedirectUri } from '../../protocol/auth/redirect.ts'
import type { ConsentError } from './facts.ts'

// GET /oauth/authorize: instead of a person who grants consent, a setting decides. Errors go to the
// client's redirect URI, unless the client or the URI itself is wrong.

/** Lifetime of an authorization code. */
const codeLifeMs = 600_000

type IssueToken = CommandOf<'token.issue'>

/** Authenticates the client, and checks that its credential is accepted here. */
function authenticateClient(
  { host, clientId, clientSecret }: IssueToken,
  settings: Settings,
): Result<Client, Refusal> {
  const client = settings.clients.find((each) => each.clientId === clientId)
  if (!client || client.clientSecret !== clientSecret)
    return err({ code: 'UNAUTHORIZED', message: 'the client id or the client secret is wrong' })
  const because = credentialProblem(client, host, settings)
  return because === undefined ? ok(client) : err({ code: 'UNAUTHORIZED', message: because })
}

/** Scopes of a client credentials grant: the requested ones that are known. */
function scopesOf(
  { scope }: IssueToken,
  { protocol, conduct }: Settings,
): Result<readonly string[], Refusal> {
  const all = scopeName(protocol.scopePrefix, 'all')
  // V1 has one scope, and no field to ask for another.
  if (speaksV1(conduct)) return ok([all])
  const names = allScopeNames(protocol.scopePrefix)
  // Least privilege: `all` is granted only when requested by name, never by default (AUT-SCO-01).
  const scopes = grantScopes(scope, scope ? names : names.filter((name) => name !== all))
  return scopes.length > 0
    ? ok(scopes)
    : err({
        code: 'INVALID_PAYLOAD',
        message: `none of the scopes asked for is known: ${scope?.slice(0, 200)}; known are ${names.join(', ')}`,
      })
}

/** Scopes of an authorization code: issued to this client, not expired, not used before. */
function scopesOfCode(
  command: IssueToken,
  { world, now }: DecisionContext,
): Result<readonly string[], Refusal> {
  const { code, host, clientId, redirectUri } = command
  if (code === undefined)
    return err({ code: 'INVALID_PAYLOAD', message: 'code is missing, for an authorization code' })
  const authorization = world.codes.get(code)
  const problem =
    !authorization || authorization.host !== host || authorization.clientId !== clientId
      ? 'the authorization code is unknown here, or was used already'
      : authorization.expiresAt <= now
        ? 'the authorization code has expired'
        : (authorization.named || redirectUri !== undefined) &&
            redirectUri !== authorization.redirectUri
          ? 'redirect_uri is not the one that the authorization code was sent to'
          : undefined
  return authorization && problem === undefined
    ? ok(authorization.scopes)
    : err({ code: 'INVALID_GRANT', message: problem ?? '' })
}

function issue(command: IssueToken, context: DecisionContext): Decision {
  const { settings, now, chance } = context
  const { host, clientId, code } = command
  const { grantTypes, tokenGrant, tokenLife } = settings.conduct
  const client = authenticateClient(command, settings)
  if (!client.ok) return client
  const byCode = command.grantType === 'authorization_code'
  const grantTypesServed = [undefined, 'client_credentials', tokenGrant, ...grantTypes]
  if (!grantTypesServed.includes(command.grantType))
    return refuse(
      'INVALID_PAYLOAD',
      `grant_type ${command.grantType?.slice(0, 100)} is not served here; ${grantTypes.join(' and ')} ${grantTypes.length > 1 ? 'are' : 'is'}`,
    )
  const scopes = byCode ? scopesOfCode(command, context) : scopesOf(command, settings)
  if (!scopes.ok) return scopes
  const expiresAt = now + tokenLife
  const issued = { host, clientId, scopes: new Set(scopes.value), expiresAt }
  const id = chance('tokens').uuid()
  return ok([
    {
      kind: 'token.issued',
      host,
      clientId,
      scopes: scopes.value,
      token: composeAccessToken(id, issued, client.value, settings.protocol),
      expiresAt,
      ...(byCode && code !== undefined ? { code } : {}),
    },
  ])
}

export const authDecisions: Decisions<AuthCommand> = {
  'consent.ask'(command, { settings, now, chance }) {
    const { host, clientId, responseType, scope } = command
    const client = settings.clients.find((each) => each.clientId === clientId)
    if (!client) return refuse('INVALID_PAYLOAD', 'client_id is unknown here')
    const because = credentialProblem(client, host, settings)
    if (because !== undefined) return refuse('INVALID_PAYLOAD', because)
    const uri = resolveRedirectUri(command.redirectUri, client.redirectUris ?? [])
    if (!uri.ok) return refuse('INVALID_PAYLOAD', uri.error)
    const redirectUri = uri.value
    const denied = (error: ConsentError): Decision =>
      ok([{ kind: 'consent.denied', host, clientId, redirectUri, error }])
    if (responseType !== 'code') return denied('unsupported_response_type')
    const prefix = settings.protocol.scopePrefix
    const names = allScopeNames(prefix)
    const all = scopeName(prefix, 'all')
    const scopes = grantScopes(scope, scope ? names : names.filter((name) => name !== all))
    if (scopes.length === 0) return denied('invalid_scope')
    if (settings.conduct.consent === 'denied') return denied('access_denied')
    return ok([
      {
        kind: 'consent.granted',
        host,
        clientId,
        code: chance('codes').uuid(),
        redirectUri,
        named: command.redirectUri !== undefined,
        scopes,
        expiresAt: now + codeLifeMs,
      },
    ])
  },
  'token.issue': issue,
  'token.revoke': ({ host, clientId }, { settings: { clients } }) =>
    clients.some((each) => each.clientId === clientId)
      ? ok([{ kind: 'token.revoked', host, clientId }])
      : refuse(
          'NOT_FOUND',
          `there is no client ${clientId}: there are ${clients.map((each) => each.clientId).join(', ')}`,
        ),
}
