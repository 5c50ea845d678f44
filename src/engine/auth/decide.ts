/** Issues and revokes tokens of the roles that we play (AUT-TOK-02, AUT-TEN-02, AUT-CRE-01 to 03). */
import { allScopeNames, grant, scopeName } from '../../protocol/auth/scopes.ts'
import { no, ok, type Result, unreachable } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Client, Settings } from '../settings.ts'
import type { AuthCommand } from './command.ts'
import { askConsent } from './consent.ts'
import { unfit } from './credentials.ts'

type Issue = Extract<AuthCommand, { kind: 'token.issue' }>

export function decideAuth(command: AuthCommand, context: Context): Decision {
  switch (command.kind) {
    case 'consent.ask':
      return askConsent(command, context)
    case 'token.issue':
      return issue(command, context)
    case 'token.revoke': {
      const { host, clientId } = command
      return ok([{ kind: 'token.revoked', host, clientId }])
    }
    default:
      return unreachable(command)
  }
}

/** Authenticates the client, and checks that its credential is accepted here. */
function identified(
  { host, clientId, clientSecret }: Issue,
  settings: Settings,
): Result<Client, Refusal> {
  const client = settings.clients.find((each) => each.clientId === clientId)
  if (!client || client.clientSecret !== clientSecret)
    return no({ code: 'UNAUTHORIZED', message: 'the client id or the client secret is wrong' })
  const because = unfit(client, host, settings)
  return because === undefined ? ok(client) : no({ code: 'UNAUTHORIZED', message: because })
}

/** Scopes of a client credentials grant: the requested ones that are known. */
function scopesOf({ scope }: Issue, { protocol }: Settings): Result<readonly string[], Refusal> {
  const all = scopeName(protocol.scopePrefix, 'all')
  const names = allScopeNames(protocol.scopePrefix)
  // Least privilege: `all` is granted only when requested by name, never by default (AUT-SCO-01).
  const scopes = grant(scope, scope ? names : names.filter((name) => name !== all))
  return scopes.length > 0
    ? ok(scopes)
    : no({
        code: 'INVALID_PAYLOAD',
        message: `none of the scopes asked for is known: ${scope?.slice(0, 200)}`,
      })
}

/** Scopes of an authorization code: issued to this client, not expired, not used before. */
function scopesOfCode(command: Issue, { world, now }: Context): Result<readonly string[], Refusal> {
  const { code, host, clientId, redirectUri } = command
  if (code === undefined)
    return no({ code: 'INVALID_PAYLOAD', message: 'code is missing, for an authorization code' })
  const given = world.codes.get(code)
  const wrong =
    !given || given.host !== host || given.clientId !== clientId
      ? 'the authorization code is unknown here, or was used already'
      : given.expiresAt <= now
        ? 'the authorization code has expired'
        : (given.named || redirectUri !== undefined) && redirectUri !== given.redirectUri
          ? 'redirect_uri is not the one that the authorization code was sent to'
          : undefined
  return given && wrong === undefined
    ? ok(given.scopes)
    : no({ code: 'INVALID_GRANT', message: wrong ?? '' })
}

function issue(command: Issue, context: Context): Decision {
  const { settings, now, chance } = context
  const { host, clientId, code } = command
  const { grantTypes, tokenGrant, tokenLife } = settings.conduct
  const client = identified(command, settings)
  if (!client.ok) return client
  const byCode = command.grantType === 'authorization_code'
  const known = [undefined, 'client_credentials', tokenGrant, ...grantTypes]
  if (!known.includes(command.grantType))
    return refuse(
      'INVALID_PAYLOAD',
      `grant_type ${command.grantType?.slice(0, 100)} is not served here; ${grantTypes.join(' and ')} ${grantTypes.length > 1 ? 'are' : 'is'}`,
    )
  const scopes = byCode ? scopesOfCode(command, context) : scopesOf(command, settings)
  if (!scopes.ok) return scopes
  return ok([
    {
      kind: 'token.issued',
      host,
      clientId,
      scopes: scopes.value,
      token: chance('tokens').uuid(),
      expiresAt: now + tokenLife,
      ...(byCode && code !== undefined ? { code } : {}),
    },
  ])
}
