/**
 * One HTTP call that the protocol defines, as a row. The server's routes, the msw handlers, our own client, the
 * manifest, the OpenAPI export and the names on the screen all come from these rows: nobody writes a route by hand.
 */
import type { z } from 'zod'
import type { DomainScope } from './auth/scopes.ts'
import type { Role } from './role.ts'

export type Capability = 'orders' | 'discovery' | 'auth'

/** What stands behind an operation: a command that may change the world, or a view that only reads it. */
export type Behind =
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'view'; readonly name: string }

export interface Operation {
  /** The name that manifests declare and that screens show. */
  readonly id: string
  readonly capability: Capability
  /** The roles that may serve it. Most have one; the token endpoint is served by everybody. */
  readonly hosts: readonly Role[]
  /** The roles that may call it. */
  readonly callers: readonly Role[]
  readonly method: 'GET' | 'POST'
  /** With `{name}` for a path parameter; appended to the host's declared base URL. */
  readonly path: string
  /** Who may call: anybody, the bearer of any valid token, or of one with this domain's scope. */
  readonly access: 'open' | 'token' | { readonly scope: DomainScope }
  readonly success: 200 | 202 | 204
  /** The JSON body it takes; absent when it takes none. */
  readonly request?: z.ZodType
  /** A form is taken in place of JSON. */
  readonly form?: true
  /** The JSON body of its success; absent when it answers none. */
  readonly response?: z.ZodType
  readonly behind: Behind
  /** The name under which a manifest declares it, where that differs from the id. */
  readonly declaredAs?: string
  /** Declared and served unless a session withholds it. */
  readonly optional?: true
  /** It hands over events; its path comes from configuration. */
  readonly webhook?: true
  readonly clauses: readonly string[]
}

/** Checks a row's shape where it is written, and keeps its literal types. */
export const defineOperation = <const Row extends Operation>(row: Row): Row => row

/** `/orders/{orderId}` with its parameters filled in. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the path ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
