/** Security schemes of an OpenAPI document, and which of them an operation takes. */
import { allScopeNames, scopeName } from '../../protocol/auth/scopes.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import type { Operation } from '../../protocol/operation.ts'
import type { Json } from './json.ts'

/** The alternatives of an operation: of the scopes one suffices; a bearer token is one that was issued with such a scope. */
export function securityOf(
  { access, webhook }: Operation,
  prefix: string,
  { strict, webhookAccess }: Pick<Conduct, 'strict' | 'webhookAccess'>,
): readonly Json[] {
  if (access === 'open') return []
  if (webhook && webhookAccess === 'signature') return [{ signature: [] }]
  if (access === 'token') return [{ oauth: [] }, { bearer: [] }]
  const { scope, fine } = access
  const scopes = [
    ...(fine === undefined ? [] : [fine]),
    ...(fine !== undefined && strict ? [] : [scopeName(prefix, scope), scopeName(prefix, 'all')]),
  ]
  return [...scopes.map((name) => ({ oauth: [name] })), { bearer: [] }]
}

const scopeText = (name: string, prefix: string): string =>
  name === scopeName(prefix, 'all')
    ? 'Everything.'
    : name.startsWith(`${prefix}.`)
      ? `Everything of ${name.slice(prefix.length + 1)}.`
      : `The operations of ${name}.`

/** The schemes; `tokenUrl` and `authorizationUrl` are whole URLs. */
export function securitySchemes(
  prefix: string,
  { grantTypes, webhookAccess }: Pick<Conduct, 'grantTypes' | 'webhookAccess'>,
  urls: { readonly tokenUrl: string; readonly authorizationUrl: string },
): Json {
  const scopes = Object.fromEntries(
    allScopeNames(prefix).map((name) => [name, scopeText(name, prefix)]),
  )
  const { tokenUrl, authorizationUrl } = urls
  return {
    oauth: {
      type: 'oauth2',
      description: 'Access tokens of the token endpoint, by client credentials.',
      flows: {
        clientCredentials: { tokenUrl, scopes },
        ...(grantTypes.includes('authorization_code')
          ? { authorizationCode: { authorizationUrl, tokenUrl, scopes } }
          : {}),
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token in the Authorization header: `Bearer <token>`.',
    },
    ...(webhookAccess === 'signature'
      ? {
          signature: {
            type: 'apiKey',
            in: 'header',
            name: 'X-App-Signature',
            description: 'HMAC-SHA256 of the body with the client secret of the receiver.',
          },
        }
      : {}),
  }
}
