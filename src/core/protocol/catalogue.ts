/**
 * The operation catalogue: all operations of the protocol; routes, handlers, clients and manifests are generated from
 * it.
 */
import { authOperations } from './auth/operations.ts'
import type { Conduct } from './conduct.ts'
import { customerOperations } from './customer/operations.ts'
import { speaksV1 } from './dialects/settings.ts'
import { discoveryOperations } from './discovery/operations.ts'
import { indoorOperations } from './indoor/operations.ts'
import { logisticsOperations } from './logistics/operations.ts'
import { loyaltyOperations } from './loyalty/operations.ts'
import type { Operation } from './operation.ts'
import { furtherOrdersOperations } from './orders/further-operations.ts'
import { ordersOperations } from './orders/operations.ts'
import type { Role } from './role.ts'
import { v1Operations } from './v1/operations.ts'

const rows = [
  ...discoveryOperations,
  ...authOperations,
  ...ordersOperations,
  ...furtherOrdersOperations,
  ...indoorOperations,
  ...logisticsOperations,
  ...customerOperations,
  ...loyaltyOperations,
  ...v1Operations,
] as const

export type OperationId = (typeof rows)[number]['id']

type RowHandler = (typeof rows)[number]['handler']

/** The names of all handlers that rows refer to; `engine/handlers.ts` must define each of them, of the row's kind. */
export type HandlerName<Kind extends RowHandler['kind'] = RowHandler['kind']> = Extract<
  RowHandler,
  { readonly kind: Kind }
>['name']

/** An operation whose id and handler are literal types from the catalogue. */
export interface CatalogueRow extends Operation {
  readonly id: OperationId
  readonly handler: RowHandler
}

export const operations: readonly CatalogueRow[] = rows

const byId = new Map<string, CatalogueRow>(operations.map((row) => [row.id, row]))

export function operation(id: OperationId): CatalogueRow {
  const row = byId.get(id)
  if (!row) throw new Error(`the catalogue has no operation ${id}`)
  return row
}

/** Whether an exchange of this operation hands over an event at a webhook. */
export const isWebhookOperation = (id: OperationId | undefined): boolean =>
  id !== undefined && operation(id).webhook !== undefined

const furtherOperationIds: ReadonlySet<string> = new Set(
  furtherOrdersOperations.map(({ id }) => id),
)

const v1OperationIds: ReadonlySet<string> = new Set(v1Operations.map(({ id }) => id))

/** The V2 operations of a role, with those that the documents do not have. */
const v2OperationsOf = (role: Role): readonly CatalogueRow[] =>
  operations.filter(({ hosts, id }) => hosts.includes(role) && !v1OperationIds.has(id))

/** The V2 operations that a role serves according to the specification. */
export const operationsHostedBy = (role: Role): readonly CatalogueRow[] =>
  v2OperationsOf(role).filter(({ id }) => !furtherOperationIds.has(id))

/** A V1 partner knows the V1 operations and the token endpoints, and no other operation of V2. */
const isKnownToV1 = ({ id }: CatalogueRow): boolean =>
  v1OperationIds.has(id) || id === 'issueToken' || id === 'authorize'

/** The operations that a role serves in this session's dialect. */
export const operationsHostedInDialect = (role: Role, conduct: Conduct): readonly CatalogueRow[] =>
  (speaksV1(conduct)
    ? operations.filter((row) => row.hosts.includes(role) && isKnownToV1(row))
    : v2OperationsOf(role)
  ).filter((row) => row.when?.(conduct) ?? true)
