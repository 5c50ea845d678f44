/** Facts of authentication. */
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

/** OAuth error code of a failed authorization. */
export type ConsentError = 'access_denied' | 'invalid_scope' | 'unsupported_response_type'

export type AuthFact =
  /** Consent was granted: this code can be exchanged for one token, once. */
  | {
      readonly kind: 'consent.granted'
      readonly host: Role
      readonly clientId: string
      readonly code: string
      /** The URI that the code is sent to. */
      readonly redirectUri: string
      /** The client sent redirect_uri, so it must send it again in the token request. */
      readonly named: boolean
      readonly scopes: readonly string[]
      readonly expiresAt: Instant
    }
  /** Consent was denied; the client is notified at its redirect URI. */
  | {
      readonly kind: 'consent.denied'
      readonly host: Role
      readonly clientId: string
      readonly redirectUri: string
      readonly error: ConsentError
    }
  /** A token was issued. */
  | {
      readonly kind: 'token.issued'
      readonly host: Role
      readonly clientId: string
      readonly scopes: readonly string[]
      readonly token: string
      readonly expiresAt: Instant
      /** The authorization code that was used up. */
      readonly code?: string
    }
  /** Every token and code of a client was revoked. */
  | { readonly kind: 'token.revoked'; readonly host: Role; readonly clientId: string }
