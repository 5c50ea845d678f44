/** Commands of authentication: `consent.…` and `token.…`. */
import type { Role } from '../../protocol/role.ts'

export type AuthCommand =
  /** An authorization request, sent through a browser: may this client act on behalf of its merchants? */
  | {
      readonly kind: 'consent.ask'
      readonly host: Role
      readonly clientId: string
      readonly responseType: string
      readonly redirectUri?: string
      readonly scope?: string
    }
  /** A client requests a token of a role that we play. */
  | {
      readonly kind: 'token.issue'
      readonly host: Role
      readonly clientId: string
      readonly clientSecret: string
      readonly scope?: string
      /** The grant type; client credentials when absent. */
      readonly grantType?: string
      /** For the authorization code grant: the code, and the URI that it was sent to. */
      readonly code?: string
      readonly redirectUri?: string
    }
  /** Revokes every token of a client. */
  | { readonly kind: 'token.revoke'; readonly host: Role; readonly clientId: string }
