/**
 * Composes a token request to another role, with our credentials there and the scopes of the operations we may call.
 */
import { scopeName, scopesToRequest } from '../../protocol/auth/scopes.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { operation } from '../../protocol/catalogue.ts'
import { tryParseJson } from '../../traffic/json/try-parse-json.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import type { Role } from '../../protocol/role.ts'
import { signatureFormOf } from '../../protocol/signature.ts'
import type { CallIntent } from '../../engine/calls/call.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import { hostedOperations } from '../../engine/served-operations.ts'

/**
 * The scopes of the operations that a role may call at another, with spaces between them (AUT-TOK-02, AUT-SCO-01); empty where a dialect asks
 * for none. V1 has one scope for all operations.
 */
export function requestedScopes(
  { from, to }: Pick<CallIntent, 'from' | 'to'>,
  settings: Settings,
): string {
  const { conduct, protocol } = settings
  const prefix = protocol.scopePrefix
  if (!conduct.tokenScopes) return ''
  if (speaksV1(conduct)) return scopeName(prefix, 'all')
  const demands = hostedOperations(to, settings).flatMap(({ callers, access }) =>
    callers.includes(from) && typeof access === 'object' ? [access] : [],
  )
  return scopesToRequest(demands, { prefix, ...conduct }).join(' ')
}

/** The client credentials of a role. */
export const ownCredentials = (role: Role, { clients }: Settings): Client | undefined =>
  clients.find((client) => client.role === role)

/**
 * Whose secret signs a call: the receiver's that of a webhook (fields.md, O18), the caller's that of another call where
 * the form is over the whole request. Undefined where a call is not signed.
 */
export function signerOf(
  { from, to, operation: id }: Pick<CallIntent, 'from' | 'to' | 'operation'>,
  settings: Settings,
): Client | undefined {
  const { webhook, access } = operation(id)
  if (webhook) return ownCredentials(to, settings)
  const isSigned = access !== 'open' && signatureFormOf(settings.conduct)?.over === 'request'
  return isSigned ? ownCredentials(from, settings) : undefined
}

/** With the scopes of the operations that the role may call, unless others are configured. */
export function tokenRequestBody(
  call: Pick<CallIntent, 'from' | 'to'>,
  { clientId, clientSecret }: Client,
  settings: Settings,
  scopes?: readonly string[],
): { readonly body: string; readonly type: string } {
  const { tokenGrant, tokenRequest } = settings.conduct
  const scope = scopes?.join(' ') ?? requestedScopes(call, settings)
  const own = {
    grant_type: tokenGrant,
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === '' ? {} : { scope }),
  }
  const translator = bodyTranslator(settings.conduct)
  const fields = (translator?.toWire('issueToken', 'request', own) ?? own) as Record<string, string>
  return tokenRequest === 'json'
    ? { body: JSON.stringify(fields), type: 'application/json' }
    : {
        body: new URLSearchParams(fields).toString(),
        type: 'application/x-www-form-urlencoded',
      }
}

/** The answer to a token request in the documents’ form. */
export function tokenAnswerOf(text: string, { conduct }: Pick<Settings, 'conduct'>): string {
  const translator = bodyTranslator(conduct)
  const value = translator?.translates('issueToken', 'reply') ? tryParseJson(text) : undefined
  return value === undefined
    ? text
    : JSON.stringify(translator?.fromWire('issueToken', 'reply', value))
}
