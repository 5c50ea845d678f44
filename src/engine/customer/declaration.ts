/**
 * How a role that we play declares Customer (DIS-CUS-01): where it is, what it serves of all its modules, by the names of
 * the operation map, how data flows, and within which limits. Reviews and Loyalty stand nowhere else (CUS-GEN-04).
 */
import type { CapabilityDeclaration } from '../../protocol/discovery/compose.ts'
import { loyaltyMapNames } from '../../protocol/loyalty/operations.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import { customerMapNames } from '../../protocol/customer/operations.ts'
import type { Input } from '../handler.ts'
import type { Settings } from '../settings.ts'

const mapNames: ReadonlySet<string> = new Set([...customerMapNames, ...loyaltyMapNames])

/** The names of what is served; what the map has no name for goes without one. */
function namesOf(served: readonly CatalogueRow[], { conduct }: Settings): string[] {
  const { declaredNames } = conduct.customer
  const names = served.flatMap(({ id, declaredAs }) => {
    const ofMap = declaredAs ?? id
    if (!mapNames.has(ofMap)) return []
    if (declaredNames === 'map') return [ofMap]
    // A catalog name stands for its operation where it has one; the map's stays where it has none.
    const ofCatalog = catalogNames[ofMap] ?? ofMap
    return declaredNames === 'binding' ? [ofCatalog] : [ofMap, ofCatalog]
  })
  return [...new Set(names)]
}

/** What the REST binding catalog calls an operation of the map (CUS-TEN-04). */
const catalogNames: Readonly<Record<string, string>> = {
  upsertCustomers: 'ingestCustomer',
  listCustomers: 'getCustomers',
  upsertLeads: 'ingestLead',
  upsertOrders: 'ingestOrdersForCRM',
  listOrders: 'getOrdersForCRM',
  createReviews: 'ingestReview',
}

/** Customer came with V2: whoever speaks nothing newer than V1 has none (MIG-CUS-01). */
const speaksV2 = ({ protocol }: Settings): boolean =>
  protocol.supportedVersions.some((version) => !/^v?1(\.|$)/i.test(version))

export function customerDeclaration(input: Input): readonly CapabilityDeclaration[] {
  const { host, base, served, settings } = input
  if (host !== 'crm' && host !== 'ordering-application') return []
  const own = served.filter(({ capability }) => capability === 'customer')
  if (own.length === 0 || !speaksV2(settings)) return []
  const names = namesOf(own, settings)
  const { customerMode, conduct, protocol } = settings
  const { customer } = conduct
  const basePath = own.find((row) => row.basePath?.[host])?.basePath?.[host] ?? ''
  return [
    {
      name: 'customer',
      version: protocol.version,
      supported: true,
      role: host === 'crm' ? 'RECEIVER' : 'ORIGINATOR',
      endpoint: `${base}${basePath}`,
      operations: names,
      supportedOperations: names,
      [customer.modeField]: customerMode === 'hybrid' ? ['push', 'pull'] : [customerMode],
      supportsBatchGet: customer.supportsBatchGet,
      supportsBatchPost: customer.supportsBatchPost,
      maxBatchSize: customer.maxBatchSize,
      maxGetPeriodDays: customer.maxGetPeriodDays,
      requestsPerSecond: customer.requestsPerSecond,
      maxPayloadSizeKb: customer.maxPayloadSizeKb,
    },
  ]
}
