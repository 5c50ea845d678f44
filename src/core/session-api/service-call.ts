/** A call to the user's service that no counterpart plans: made by hand, as one of our roles. */
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import type { Exchange } from '../traffic/exchange.ts'

/** How a call authorizes itself. */
export type CallToken =
  /** With a token of the role that calls, which is requested once. */
  | 'own'
  /** Without any. */
  | 'none'
  /**
   * With a fresh token for these scopes, `logistics.read` or a domain: `orders`. The request for it is an exchange of
   * its own.
   */
  | { readonly scopes: readonly string[] }
  /** With this text in place of a token. */
  | { readonly value: string }

export interface ServiceCall {
  /** The role that calls. */
  readonly as: Role
  /** The operation that is called; absent for one outside the protocol, which needs `method` and `path`. */
  readonly operation?: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** JSON body. */
  readonly body?: unknown
  /** Body as text, in place of `body`: one that is no JSON. */
  readonly text?: string
  /** Additional headers; undefined leaves out one that the call has by itself. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** In place of the operation's. */
  readonly method?: string
  /** Path behind the base URL of the service, in place of the operation's. */
  readonly path?: string
  /** Absolute URL on the host of the service, in place of base URL, path and query. */
  readonly url?: string
  /** `own` when absent; an open operation carries none. */
  readonly token?: CallToken
}

/** Makes the call as one exchange of the session. It never rejects: a failure is in the exchange. */
export type CallService = (call: ServiceCall) => Promise<Exchange>
