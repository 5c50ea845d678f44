/** Tokens, for the roles that we play: who gets one, and for what (AUT-TOK-02, AUT-TEN-02). */
import { allScopeNames, grant, scopeName } from '../../protocol/auth/scopes.ts'
import { ok } from '../../protocol/result.ts'
import type { AuthCommand } from '../command.ts'
import type { Context, Decision } from '../decision.ts'
import { refuse } from '../refusal.ts'

export function decideAuth(command: AuthCommand, context: Context): Decision {
  const { settings, now, chance } = context
  const { host, clientId } = command
  if (command.kind === 'token.revoke') return ok([{ kind: 'token.revoked', host, clientId }])
  const client = settings.clients.find((each) => each.clientId === clientId)
  if (!client || client.clientSecret !== command.clientSecret)
    return refuse('UNAUTHORIZED', 'the client id or the client secret is wrong')
  const prefix = settings.protocol.scopePrefix
  const all = scopeName(prefix, 'all')
  const names = allScopeNames(prefix)
  // Least privilege: `all` is granted to those who name it, never by default (AUT-SCO-01).
  const scopes = grant(command.scope, command.scope ? names : names.filter((name) => name !== all))
  if (scopes.length === 0)
    return refuse('INVALID_PAYLOAD', `none of the scopes asked for is known: ${command.scope}`)
  return ok([
    {
      kind: 'token.issued',
      host,
      clientId,
      scopes,
      token: chance('tokens').uuid(),
      expiresAt: now + settings.conduct.tokenLife,
    },
  ])
}
