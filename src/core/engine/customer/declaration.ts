/**
 * Manifest declaration of Customer for a role that we play (DIS-CUS-01): endpoint, served operations of all modules by
 * their operation-map names, push or pull mode, limits. Reviews and Loyalty are declared nowhere else (CUS-GEN-04).
 */
import type { CapabilityDeclaration } from '../../protocol/discovery/compose-manifest.ts'
import { loyaltyMapNames } from '../../protocol/loyalty/operations.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import { customerMapNames } from '../../protocol/customer/operations.ts'
import type { HandlerInput } from '../handler.ts'
import type { Settings } from '../settings.ts'

const mapNames: ReadonlySet<string> = new Set([...customerMapNames, ...loyaltyMapNames])

/** Declared names of the served operations; operations without a name in the map are not declared. */
function declaredNamesOf(served: readonly CatalogueRow[], { conduct }: Settings): string[] {
  const { declaredNames } = conduct.customer
  const names = served.flatMap(({ id, declaredAs }) => {
    const mapName = declaredAs ?? id
    if (!mapNames.has(mapName)) return []
    if (declaredNames === 'map') return [mapName]
    // Operations without a catalog name keep the map's.
    const catalogName = catalogNames[mapName] ?? mapName
    return declaredNames === 'binding' ? [catalogName] : [mapName, catalogName]
  })
  return [...new Set(names)]
}

/** REST binding catalog names by operation-map name (CUS-TEN-04). */
const catalogNames: Readonly<Record<string, string>> = {
  upsertCustomers: 'ingestCustomer',
  listCustomers: 'getCustomers',
  upsertLeads: 'ingestLead',
  upsertOrders: 'ingestOrdersForCRM',
  listOrders: 'getOrdersForCRM',
  createReviews: 'ingestReview',
}

/** Customer came with V2: a participant that supports only V1 has none (MIG-CUS-01). */
const supportsV2 = ({ protocol }: Settings): boolean =>
  protocol.supportedVersions.some((version) => !/^v?1(\.|$)/i.test(version))

export function customerDeclaration(input: HandlerInput): readonly CapabilityDeclaration[] {
  const { host, base, served, settings } = input
  if (host !== 'crm' && host !== 'ordering-application') return []
  const servedRows = served.filter(({ capability }) => capability === 'customer')
  if (servedRows.length === 0 || !supportsV2(settings)) return []
  const names = declaredNamesOf(servedRows, settings)
  const { customerMode, conduct, protocol } = settings
  const { customer } = conduct
  const basePath = servedRows.find((row) => row.basePath?.[host])?.basePath?.[host] ?? ''
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
