/**
 * GET /oauth/authorize: instead of a person who grants consent, a setting decides. Errors go to the client's redirect
 * URI, unless the client or the URI itself is wrong.
 */
import { resolveRedirectUri } from '../../protocol/auth/redirect.ts'
import { allScopeNames, grantScopes, scopeName } from '../../protocol/auth/scopes.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { refuse } from '../refusal.ts'
import { credentialProblem } from './credentials.ts'
import type { ConsentError } from './facts.ts'

/** Lifetime of an authorization code. */
const codeLifeMs = 600_000

export function decideConsent(
  command: CommandOf<'consent.ask'>,
  { settings, now, chance }: DecisionContext,
): Decision {
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
}
