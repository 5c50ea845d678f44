/** Stores for a replay: a service that knows the recorded stores must find them again, or it rejects their orders. */
import { compact } from '../base/compact.ts'
import { knownMerchants, type MerchantIdentity } from '../partners/seed-data/merchants.ts'
import type { OwnSeedData } from '../partners/seed-data/own-seed-data.ts'
import type { PartnerDecisions, DecidedOrder } from '../scenario/decision.ts'
import type { SessionOptions } from './options.ts'

/** The store that an order document names, if complete. */
function storeIn(document: DecidedOrder['document']): MerchantIdentity | undefined {
  const { id, name, externalCode } = (document?.['merchant'] ?? {}) as Readonly<
    Record<string, unknown>
  >
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { id, name, externalCode: typeof externalCode === 'string' ? externalCode : id }
}

/** The stores of the recorded orders. */
export function storesOfOrders({ orders }: PartnerDecisions): readonly MerchantIdentity[] {
  const found = new Map<string, MerchantIdentity>()
  for (const { document } of orders) {
    const store = storeIn(document)
    if (store) found.set(store.id, store)
  }
  return [...found.values()]
}

/**
 * Session options that reproduce who lives in a recording: the stores of its orders, and the customers of its seed.
 * Orders get new ids, stores never: both sides know them from configuration, and a service that runs across replays
 * fetches them once.
 */
export const recordedStoreOptions = (
  decisions: PartnerDecisions,
): Pick<SessionOptions, 'stores' | 'populationSeed'> => ({
  stores: storesOfOrders(decisions),
  ...compact({ populationSeed: decisions.seed }),
})

/** The merchants of the population and the additional ones, deduplicated by id. */
export function knownStores(
  additional: readonly MerchantIdentity[],
  own: OwnSeedData,
): readonly MerchantIdentity[] {
  const population = knownMerchants(own)
  const known = new Set(population.map(({ id }) => id))
  return [...population, ...additional.filter(({ id }) => !known.has(id))]
}
