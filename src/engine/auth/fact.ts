/** What has happened in authentication. */
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

/** Why an authorization came to nothing, by the names that OAuth has for it. */
export type ConsentError = 'access_denied' | 'invalid_scope' | 'unsupported_response_type'

export type AuthFact =
  /** A client may have a token: this code is good for one, once. */
  | {
      readonly kind: 'consent.granted'
      readonly host: Role
      readonly clientId: string
      readonly code: string
      /** Where the code is sent. */
      readonly redirectUri: string
      /** The client named it, so it has to name it again when it brings the code. */
      readonly named: boolean
      readonly scopes: readonly string[]
      readonly expiresAt: Instant
    }
  /** A client may not; it is told so where it wanted the code. */
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
      /** The code that was spent on it. */
      readonly code?: string
    }
  /** Every token of a client was taken back. */
  | { readonly kind: 'token.revoked'; readonly host: Role; readonly clientId: string }
