/** The stores of a recording: a service that was told of them must find them again, or it takes no orders of theirs. */
import { createChance } from '../engine/chance.ts'
import { type MerchantIdentity, merchantIdentities } from '../seed-data/merchants.ts'
import type { Decisions, OrderDecided } from '../scenario/from-recording/decision.ts'
import type { SessionOptions } from './options.ts'

/** The store that an order's document names, if it is whole. */
function storeIn(document: OrderDecided['document']): MerchantIdentity | undefined {
  const { id, name, externalCode } = (document?.['merchant'] ?? {}) as Readonly<
    Record<string, unknown>
  >
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { id, name, externalCode: typeof externalCode === 'string' ? externalCode : id }
}

/** The stores of the recorded orders. */
function storesOfOrders({ orders }: Decisions): readonly MerchantIdentity[] {
  const found = new Map<string, MerchantIdentity>()
  for (const { document } of orders) {
    const store = storeIn(document)
    if (store) found.set(store.id, store)
  }
  return [...found.values()]
}

/**
 * What a session says of its stores so that it is the recorded partner to whom an order means something: the town of the
 * recording's seed, or a real partner's stores where nobody knows one. Orders get fresh ids, stores never: both sides
 * know them before anything is said, and a service that goes on from replay to replay asks for them once.
 */
export const storesOf = (decisions: Decisions): Pick<SessionOptions, 'stores' | 'townSeed'> =>
  decisions.seed === undefined
    ? { stores: storesOfOrders(decisions) }
    : { townSeed: decisions.seed }

/** The stores of a town, and those besides, each once. */
export function storesIn(
  townSeed: number,
  besides: readonly MerchantIdentity[],
): readonly MerchantIdentity[] {
  const own = merchantIdentities(createChance(townSeed, 'population'))
  const known = new Set(own.map(({ id }) => id))
  return [...own, ...besides.filter(({ id }) => !known.has(id))]
}
