/**
 * Type of an operation: one HTTP call that the protocol defines, as a row of data. The server's routes, the msw handlers,
 * our client, the manifest, the OpenAPI export and the names on the screen are all derived from these rows.
 */
import type { z } from 'zod'
import type { DomainScope, FineScope } from './auth/scopes.ts'
import type { Conduct } from './conduct.ts'
import type { DeclaredRefusal } from './refusals.ts'
import type { Role } from './role.ts'

export const capabilities = [
  'orders',
  'indoor',
  'logistics',
  'customer',
  'discovery',
  'auth',
] as const
export type Capability = (typeof capabilities)[number]

/** Features that a session can switch off: a capability, or a module of Customer (reviews, loyalty). */
export const featureSwitches = [
  'orders',
  'indoor',
  'logistics',
  'customer',
  'reviews',
  'loyalty',
] as const
export type FeatureSwitch = (typeof featureSwitches)[number]

/** The kinds of events that have their own webhook. */
export const webhookNames = ['orders', 'accounts', 'delivery', 'customer', 'loyalty'] as const
export type WebhookName = (typeof webhookNames)[number]

/** Who sends customer data to whom: the Ordering Application pushes, the CRM pulls, or both (CUS-GEN-10). */
export const customerModes = ['push', 'pull', 'hybrid'] as const
export type CustomerMode = (typeof customerModes)[number]

/** Reference to the handler of an operation: a command may change the world, a view only reads it. */
export type HandlerReference =
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'view'; readonly name: string }

/** What a call does with an order: `confirm` of the handler `order.confirm`; undefined for one about something else. */
export const orderActOf = ({ handler: { name } }: Pick<Operation, 'handler'>): string | undefined =>
  name.startsWith('order.') ? name.slice('order.'.length) : undefined

/** A body schema that is built lazily, on the first body: building all schemas at start would slow the start down. */
export type LazySchema = () => z.ZodType

/** The HTTP methods that operations use. */
export const httpMethods = ['GET', 'POST', 'PATCH', 'PUT'] as const

/** A success status, and the schema of its JSON body if it has one. */
export interface SuccessAnswer {
  readonly status: 200 | 201 | 202 | 204 | 302
  readonly response?: LazySchema
}

export interface Operation {
  /** The name in manifests and on the screen. */
  readonly id: string
  /** What a call of it does, as one short phrase. */
  readonly summary: string
  readonly capability: Capability
  /** The roles that may serve it: mostly one; every role serves the token endpoint. */
  readonly hosts: readonly Role[]
  /** The roles that may call it. */
  readonly callers: readonly Role[]
  readonly method: (typeof httpMethods)[number]
  /** Path template with `{name}` for a path parameter; appended to the host's declared base URL. */
  readonly path: string
  /** Further path templates of the same operation. */
  readonly aliases?: readonly string[]
  /** Path prefix of the capability, by host role, where it has its own. */
  readonly basePath?: Readonly<Partial<Record<Role, string>>>
  /** Authorization: none, any valid token, or a token with the scope of this domain (or the finer one). */
  readonly access: 'open' | 'token' | { readonly scope: DomainScope; readonly fine?: FineScope }
  readonly success: SuccessAnswer['status']
  /** Schema of the JSON request body; absent when there is none. */
  readonly request?: LazySchema
  /** Schema for the documentation, where `request` normalises several shapes to one. */
  readonly shown?: LazySchema
  /** The request body may be form-encoded instead of JSON. */
  readonly form?: true
  /** Schema of the JSON body of a success response; absent when there is none. */
  readonly response?: LazySchema
  /** The success answers, where `conduct` chooses status or body; else `success` with `response`. */
  readonly answers?: (conduct: Conduct) => readonly SuccessAnswer[]
  /** Calls with the same path and another query or body are about something else: each position of a courier. */
  readonly distinguishedBy?: 'content'
  /** The query parameters that it reads, as an object schema. */
  readonly query?: () => z.ZodObject
  /** The request headers that it reads beside those of every operation, as an object schema. */
  readonly headers?: () => z.ZodObject
  /** What it may be refused with, beside what follows from its form. */
  readonly refuses?: readonly DeclaredRefusal[]
  /** The headers of its success answer beside those of every answer, with what each says. */
  readonly replyHeaders?: Readonly<Record<string, string>>
  readonly handler: HandlerReference
  /** The name in a manifest, where it differs from the id. */
  readonly declaredAs?: string
  /** Declared and served unless a session withholds it. */
  readonly optional?: true
  /** The module of Customer that it belongs to; not served when the module is switched off. */
  readonly module?: 'reviews' | 'loyalty'
  /** The modes of Customer in which a host serves it; every mode when absent. */
  readonly modes?: Readonly<Partial<Record<Role, readonly CustomerMode[]>>>
  /** Served only when this predicate holds for the session's `conduct`. */
  readonly when?: (conduct: Conduct) => boolean
  /** Set on webhooks: the kind of events that are handed over; the path comes from configuration. */
  readonly webhook?: WebhookName
  readonly clauses: readonly string[]
}

type Shared = Partial<Operation>

/** What a row says itself: the rest is shared. */
type RowBeside<Own> = Omit<Operation, 'id' | keyof Own> & Shared

/** Rows by their ids, with what they share; ids and handlers keep their literal types. */
export const operationsOf = <
  const Own extends Shared,
  const Rows extends Readonly<Record<string, RowBeside<Own>>>,
>(
  shared: Own,
  rows: Rows,
) =>
  Object.entries(rows).map(([id, row]) => ({ ...shared, id, ...row })) as unknown as readonly {
    [Id in keyof Rows & string]: Operation & {
      readonly id: Id
      readonly handler: Rows[Id]['handler']
    }
  }[keyof Rows & string][]

/** The call of a row: `...post('/orders/{orderId}/confirm', 202)`. */
const callWith =
  <const Method extends Operation['method']>(method: Method) =>
  (path: string, success: Operation['success'] = 200) =>
    ({ method, path, success }) as const

export const get = callWith('GET')
export const post = callWith('POST')
export const patch = callWith('PATCH')
export const put = callWith('PUT')

/** All path templates of an operation at a host, with the host's prefix. */
export const pathsAtHost = (
  { path, aliases = [], basePath }: Operation,
  host: Role,
): readonly string[] => [path, ...aliases].map((each) => `${basePath?.[host] ?? ''}${each}`)

/** The path template for a call with these parameters: among those that they fill, the one with the most parameters. */
export function pathForParameters(
  { path, aliases = [] }: Operation,
  params: Readonly<Record<string, string>>,
): string {
  const parameterNames = (each: string): readonly string[] =>
    [...each.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  let best = path
  for (const each of aliases)
    if (
      parameterNames(each).every((name) => Object.hasOwn(params, name)) &&
      parameterNames(each).length > parameterNames(best).length
    )
      best = each
  return best
}

/**
 * The feature that must be on for an operation to be served: its module, else its capability; undefined when always
 * served.
 */
export const featureSwitchOf = ({ capability, module }: Operation): FeatureSwitch | undefined =>
  module ?? featureSwitches.find((each) => each === capability)

/** Fills the parameters of a path template, each URL-encoded as one segment. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the path ${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}
