/** Facts of authentication: tokens and authorization codes. */
import { type Role, shortRoleName } from '../../protocol/role.ts'
import { addBounded, setBounded } from '../bounded.ts'
import { factRow } from '../fact-row.ts'
import type { Instant } from '../instant.ts'
import { worldBounds } from '../world.ts'
import { revocationKey } from './access-token.ts'

/** OAuth error code of a failed authorization. */
export type ConsentError = 'access_denied' | 'invalid_scope' | 'unsupported_response_type'

export interface OfClient {
  readonly host: Role
  readonly clientId: string
}

export interface ConsentGranted extends OfClient {
  readonly code: string
  /** The URI that the code is sent to. */
  readonly redirectUri: string
  /** The client sent redirect_uri, so it must send it again in the token request. */
  readonly named: boolean
  readonly scopes: readonly string[]
  readonly expiresAt: Instant
}

export interface TokenIssued extends OfClient {
  readonly scopes: readonly string[]
  readonly token: string
  readonly expiresAt: Instant
  /** The authorization code that was used up. */
  readonly code?: string
}

export const authFacts = {
  /** Consent was granted: this code can be exchanged for one token, once. */
  'consent.granted': factRow<ConsentGranted>({
    text: ({ clientId, host }) => `${clientId} is authorized at ${shortRoleName[host]}`,
    apply({ codes }, { host, clientId, redirectUri, named, expiresAt, scopes, code }) {
      const granted = { host, clientId, redirectUri, named, expiresAt, scopes }
      setBounded(codes, code, granted, worldBounds.codes)
    },
  }),
  /** Consent was denied; the client is notified at its redirect URI. */
  'consent.denied': factRow<OfClient & { redirectUri: string; error: ConsentError }>({
    text: ({ clientId, host, error }) =>
      `${clientId} is not authorized at ${shortRoleName[host]}: ${error}`,
  }),
  /** A token was issued. */
  'token.issued': factRow<TokenIssued>({
    text: ({ clientId, host }) => `token for ${clientId} at ${shortRoleName[host]}`,
    apply({ codes, tokens }, { host, clientId, expiresAt, code, scopes, token }) {
      if (code !== undefined) codes.delete(code)
      const issued = { host, clientId, expiresAt, scopes: new Set(scopes) }
      setBounded(tokens, token, issued, worldBounds.tokens)
    },
  }),
  /** Every token and code of a client was revoked. */
  'token.revoked': factRow<OfClient>({
    text: ({ clientId }) => `tokens of ${clientId} revoked`,
    apply({ codes, tokens, revocations }, fact) {
      addBounded(revocations, revocationKey(fact), worldBounds.revocations)
      for (const store of [tokens, codes])
        for (const [key, { host, clientId }] of store)
          if (host === fact.host && clientId === fact.clientId) store.delete(key)
    },
  }),
}
