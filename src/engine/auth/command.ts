/** What somebody may ask of authentication: `consent.…` and `token.…`. */
import type { Role } from '../../protocol/role.ts'

export type AuthCommand =
  /** Somebody's browser asks, for a client, whether it may act on behalf of its merchants. */
  | {
      readonly kind: 'consent.ask'
      readonly host: Role
      readonly clientId: string
      readonly responseType: string
      readonly redirectUri?: string
      readonly scope?: string
    }
  /** A client asks a role that we play for a token. */
  | {
      readonly kind: 'token.issue'
      readonly host: Role
      readonly clientId: string
      readonly clientSecret: string
      readonly scope?: string
      /** How it asks; client credentials when absent. */
      readonly grantType?: string
      /** For an authorization code: the code, and the URI that it was sent to. */
      readonly code?: string
      readonly redirectUri?: string
    }
  /** Takes back every token that a client has. */
  | { readonly kind: 'token.revoke'; readonly host: Role; readonly clientId: string }
