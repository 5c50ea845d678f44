/**
 * One HTTP call that the protocol defines, as a row. The server's routes, the msw handlers, our own client, the
 * manifest, the OpenAPI export and the names on the screen all come from these rows: nobody writes a route by hand.
 */
import type { z } from 'zod'
import type { DomainScope, FineScope } from './auth/scopes.ts'
import type { Conduct } from './conduct.ts'
import type { Role } from './role.ts'

export type Capability = 'orders' | 'indoor' | 'logistics' | 'customer' | 'discovery' | 'auth'

/** What a session can do without: a capability, or a module of Customer, which never stands for itself. */
export const switches = ['orders', 'indoor', 'logistics', 'customer', 'reviews', 'loyalty'] as const
export type Switch = (typeof switches)[number]

/** The kinds of events that have a webhook of their own. */
export const webhookNames = ['orders', 'accounts', 'delivery', 'customer', 'loyalty'] as const
export type WebhookName = (typeof webhookNames)[number]

/** Who sends customer data to whom: the Ordering Application pushes, the CRM pulls, or both (CUS-GEN-10). */
export const customerModes = ['push', 'pull', 'hybrid'] as const
export type CustomerMode = (typeof customerModes)[number]

/** What stands behind an operation: a command that may change the world, or a view that only reads it. */
export type Behind =
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'view'; readonly name: string }

/** The shape of a body, asked for when one is read: to make all shapes takes longer than to start with a few of them. */
export type Shape = () => z.ZodType

/** The methods of HTTP that operations use. */
export const methods = ['GET', 'POST', 'PATCH'] as const

export interface Operation {
  /** The name that manifests declare and that screens show. */
  readonly id: string
  readonly capability: Capability
  /** The roles that may serve it. Most have one; the token endpoint is served by everybody. */
  readonly hosts: readonly Role[]
  /** The roles that may call it. */
  readonly callers: readonly Role[]
  readonly method: (typeof methods)[number]
  /** With `{name}` for a path parameter; appended to the host's declared base URL. */
  readonly path: string
  /** More paths under which the same operation is served. */
  readonly aliases?: readonly string[]
  /** Where the capability has a base of its own at a host: what stands before the path there. */
  readonly basePath?: Readonly<Partial<Record<Role, string>>>
  /** Who may call: anybody, the bearer of any valid token, or of one with this domain's scope. */
  readonly access: 'open' | 'token' | { readonly scope: DomainScope; readonly fine?: FineScope }
  readonly success: 200 | 202 | 204 | 302
  /** The JSON body it takes; absent when it takes none. */
  readonly request?: Shape
  /** The same as it is documented, where `request` reads several shapes into one. */
  readonly shown?: Shape
  /** A form is taken in place of JSON. */
  readonly form?: true
  /** The JSON body of its success; absent when it answers none. */
  readonly response?: Shape
  readonly behind: Behind
  /** The name under which a manifest declares it, where that differs from the id. */
  readonly declaredAs?: string
  /** Declared and served unless a session withholds it. */
  readonly optional?: true
  /** The module of Customer that it belongs to; it goes when the module is switched off. */
  readonly module?: 'reviews' | 'loyalty'
  /** Where a host serves it only in some modes of Customer: those modes. */
  readonly modes?: Readonly<Partial<Record<Role, readonly CustomerMode[]>>>
  /** Served only where the session's conduct says so. */
  readonly when?: (conduct: Conduct) => boolean
  /** It hands over events of this kind; its path comes from configuration. */
  readonly webhook?: WebhookName
  readonly clauses: readonly string[]
}

/** Checks a row's shape where it is written, and keeps its literal types. */
export const defineOperation = <const Row extends Operation>(row: Row): Row => row

/** Every path of an operation at a host. */
export const pathsOf = (
  { path, aliases = [], basePath }: Operation,
  host: Role,
): readonly string[] => [path, ...aliases].map((each) => `${basePath?.[host] ?? ''}${each}`)

/** The path for a call with these parameters: of those that they fill, the one that uses the most of them. */
export function pathWith(
  { path, aliases = [] }: Operation,
  params: Readonly<Record<string, string>>,
): string {
  const namesIn = (each: string): readonly string[] =>
    [...each.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  let best = path
  for (const each of aliases)
    if (
      namesIn(each).every((name) => Object.hasOwn(params, name)) &&
      namesIn(each).length > namesIn(best).length
    )
      best = each
  return best
}

/** What has to be on for an operation to be served: its module, else its capability; undefined for what always is. */
export const switchOf = ({ capability, module }: Operation): Switch | undefined =>
  module ?? switches.find((each) => each === capability)

/** `/orders/{orderId}` with its parameters filled in. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the path ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
