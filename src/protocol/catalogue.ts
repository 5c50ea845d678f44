/** Every operation of the protocol that we speak: the list from which routes, handlers, clients and manifests come. */
import { authOperations } from './auth/operations.ts'
import { discoveryOperations } from './discovery/operations.ts'
import type { Operation } from './operation.ts'
import { ordersOperations } from './orders/operations.ts'
import type { Role } from './role.ts'

const rows = [...discoveryOperations, ...authOperations, ...ordersOperations] as const

export type OperationId = (typeof rows)[number]['id']

/** A row of the catalogue, with its id as one of the known names. */
export interface CatalogueRow extends Operation {
  readonly id: OperationId
}

export const operations: readonly CatalogueRow[] = rows

const byId = new Map<string, CatalogueRow>(operations.map((row) => [row.id, row]))

export function operation(id: OperationId): CatalogueRow {
  const row = byId.get(id)
  if (!row) throw new Error(`the catalogue has no operation ${id}`)
  return row
}

/** What a role serves. */
export const hostedBy = (role: Role): readonly CatalogueRow[] =>
  operations.filter(({ hosts }) => hosts.includes(role))
