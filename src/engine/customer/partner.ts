/**
 * What the other side's manifest says of Customer: what it may be asked for, under whichever names (CUS-TEN-04), how much
 * at once and how often (LIM-CUS-01 to 04). One that says nothing is held to the field's usual figures.
 */
import { operation, type OperationId } from '../../protocol/catalogue.ts'
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { CustomerLimits } from '../../protocol/customer/limits.ts'
import type { ReadManifest } from '../../protocol/discovery/read.ts'
import type { Context } from '../decision.ts'
import { partnerOf } from '../world.ts'
import type { Side } from './side.ts'

/** An operation in both notations. */
interface Written {
  readonly flow: OperationId
  readonly binding: OperationId
}

export const pushes: Readonly<Record<RecordKind, Written>> = {
  customer: { flow: 'upsertCustomers', binding: 'ingestCustomer' },
  lead: { flow: 'upsertLeads', binding: 'ingestLead' },
  order: { flow: 'upsertOrders', binding: 'ingestOrdersForCRM' },
  review: { flow: 'createReviews', binding: 'ingestReview' },
}

export const pulls: Readonly<Record<RecordKind, Written>> = {
  customer: { flow: 'listCustomers', binding: 'getCustomers' },
  lead: { flow: 'listLeads', binding: 'getLeads' },
  order: { flow: 'listOrders', binding: 'getOrdersForCRM' },
  review: { flow: 'listReviews', binding: 'getReviews' },
}

/** The manifest of the other side; undefined before it is valid, or where its owner is trusted without one. */
export function manifestOf(
  { role, partner }: Side,
  { world }: Context,
): { readonly state: 'unknown' | 'trusted' } | { readonly state: 'read'; manifest: ReadManifest } {
  const known = partnerOf(world, role, partner)
  if (known?.state !== 'accepted') return { state: 'unknown' }
  const { manifest } = known
  return manifest && manifest.versions.length > 0
    ? { state: 'read', manifest }
    : { state: 'trusted' }
}

/** Whether the other side declares an operation, by any of its names. */
export function declares(side: Side, names: readonly string[], context: Context): boolean {
  const known = manifestOf(side, context)
  if (known.state !== 'read') return known.state === 'trusted'
  const customer = known.manifest.capabilities['customer']
  return customer !== undefined && names.some((name) => customer.operations.includes(name))
}

const namesOf = ({ flow, binding }: Written): readonly string[] =>
  [flow, binding].flatMap((id) => [id, operation(id).declaredAs ?? id])

/** Where Customer and Orders share one base, POST /orders would mean something else there (CUS-TEN-02). */
function sharesBase(side: Side, context: Context): boolean {
  const known = manifestOf(side, context)
  if (known.state !== 'read') return false
  const { customer, orders } = known.manifest.capabilities
  return customer?.endpoint !== undefined && customer.endpoint === orders?.endpoint
}

/** The operation in the notation that this session calls; undefined where the other side does not declare it. */
export function callable(
  side: Side,
  [mode, written]: readonly ['push' | 'pull', Written],
  context: Context,
): OperationId | undefined {
  const { integrationModes } = limitsOfPartner(side, context)
  if (!integrationModes.includes(mode) && !integrationModes.includes('hybrid')) return undefined
  if (!declares(side, namesOf(written), context)) return undefined
  const { notation, ordersAtSharedBase } = context.settings.conduct.customer
  const isOrders = written.flow === 'upsertOrders' || written.flow === 'listOrders'
  if (isOrders && !ordersAtSharedBase && sharesBase(side, context)) return written.binding
  const usesFlow = notation === 'flow' || context.world.customer.fellBack.has(side.role)
  return usesFlow ? written.flow : written.binding
}

/** Figures that are safe with anybody who declares none (fields.md, C19). */
const usual = {
  integrationModes: ['push', 'pull'] as readonly string[],
  supportsBatchGet: true,
  supportsBatchPost: true,
  maxBatchSize: 100,
  maxGetPeriodDays: 30,
  requestsPerSecond: 10,
}

export function limitsOfPartner(side: Side, context: Context): Required<CustomerLimits> {
  const known = manifestOf(side, context)
  const declared =
    known.state === 'read' ? known.manifest.capabilities['customer']?.limits : undefined
  return { ...usual, ...declared }
}

/** Calls in a second that stay well below what the other side takes: others of ours call it too. */
export const pace = (side: Side, context: Context): number =>
  Math.max(1, Math.floor(limitsOfPartner(side, context).requestsPerSecond / 2))
