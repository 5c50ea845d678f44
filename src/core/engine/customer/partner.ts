/**
 * The Customer capability in the partner's manifest: operations, under any of their names (CUS-TEN-04), and limits
 * (LIM-CUS-01 to 04), with defaults for undeclared limits.
 */
import { operation, type OperationId } from '../../protocol/catalogue.ts'
import type { RecordKind } from '../../protocol/customer/batch.ts'
import type { CustomerLimits } from '../../protocol/customer/limits.ts'
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import type { DecisionContext } from '../decision.ts'
import { isManifestRead } from '../calls/manifest-answer.ts'
import { partnerOf } from '../world.ts'
import type { CustomerSide } from './side.ts'

type PartnerContext = Pick<DecisionContext, 'world' | 'settings'>

/** An operation in both notations. */
interface NotationPair {
  readonly flow: OperationId
  readonly binding: OperationId
}

export const pushOperations: Readonly<Record<RecordKind, NotationPair>> = {
  customer: { flow: 'upsertCustomers', binding: 'ingestCustomer' },
  lead: { flow: 'upsertLeads', binding: 'ingestLead' },
  order: { flow: 'upsertOrders', binding: 'ingestOrdersForCRM' },
  review: { flow: 'createReviews', binding: 'ingestReview' },
}

export const pullOperations: Readonly<Record<RecordKind, NotationPair>> = {
  customer: { flow: 'listCustomers', binding: 'getCustomers' },
  lead: { flow: 'listLeads', binding: 'getLeads' },
  order: { flow: 'listOrders', binding: 'getOrdersForCRM' },
  review: { flow: 'listReviews', binding: 'getReviews' },
}

/** The partner's manifest: `unknown` before it is valid, `trusted` for a partner accepted without one. */
export function partnerManifest(
  { role, partner }: CustomerSide,
  { world }: PartnerContext,
):
  | { readonly state: 'unknown' | 'trusted' }
  | { readonly state: 'read'; manifest: ParsedManifest } {
  const known = partnerOf(world, role, partner)
  if (known?.state !== 'accepted') return { state: 'unknown' }
  const { manifest } = known
  return isManifestRead(manifest) ? { state: 'read', manifest } : { state: 'trusted' }
}

/** Whether the partner declares an operation, by any of its names. */
export function partnerDeclares(
  side: CustomerSide,
  names: readonly string[],
  context: PartnerContext,
): boolean {
  const known = partnerManifest(side, context)
  if (known.state !== 'read') return known.state === 'trusted'
  const customer = known.manifest.capabilities['customer']
  return customer !== undefined && names.some((name) => customer.operations.includes(name))
}

const declaredNamesOf = ({ flow, binding }: NotationPair): readonly string[] =>
  [flow, binding].flatMap((id) => [id, operation(id).declaredAs ?? id])

/** Whether Customer and Orders share one base path, where POST /orders means something else (CUS-TEN-02). */
function sharesBase(side: CustomerSide, context: PartnerContext): boolean {
  const known = partnerManifest(side, context)
  if (known.state !== 'read') return false
  const { customer, orders } = known.manifest.capabilities
  return customer?.endpoint !== undefined && customer.endpoint === orders?.endpoint
}

/** The operation in the configured notation; undefined if the partner does not declare it. */
export function callableOperation(
  side: CustomerSide,
  [mode, pair]: readonly ['push' | 'pull', NotationPair],
  context: PartnerContext,
): OperationId | undefined {
  const { integrationModes } = partnerLimits(side, context)
  if (!integrationModes.includes(mode) && !integrationModes.includes('hybrid')) return undefined
  if (!partnerDeclares(side, declaredNamesOf(pair), context)) return undefined
  const { notation, ordersAtSharedBase } = context.settings.conduct.customer
  const isOrders = pair.flow === 'upsertOrders' || pair.flow === 'listOrders'
  if (isOrders && !ordersAtSharedBase && sharesBase(side, context)) return pair.binding
  const usesFlow = notation === 'flow' || context.world.customer.fellBack.has(side.role)
  return usesFlow ? pair.flow : pair.binding
}

/** Default limits for a partner that declares none (fields.md, C19). */
const defaultLimits = {
  integrationModes: ['push', 'pull'] as readonly string[],
  supportsBatchGet: true,
  supportsBatchPost: true,
  maxBatchSize: 100,
  maxGetPeriodDays: 30,
  requestsPerSecond: 10,
}

export function partnerLimits(
  side: CustomerSide,
  context: PartnerContext,
): Required<CustomerLimits> {
  const known = partnerManifest(side, context)
  const declared =
    known.state === 'read' ? known.manifest.capabilities['customer']?.limits : undefined
  return { ...defaultLimits, ...declared }
}

/** Calls per second: half of the partner's limit, since other callers of ours use it too. */
export const callsPerSecond = (side: CustomerSide, context: PartnerContext): number =>
  Math.max(1, Math.floor(partnerLimits(side, context).requestsPerSecond / 2))
