/**
 * Stable address for an id without a known one: an order names its merchant by id and name only, and some orders have no
 * address. The address depends on the id alone.
 */
import { createChance } from '../../engine/chance.ts'
import type { DeliveryPlace } from '../../protocol/logistics/place.ts'
import { drawAddress } from './addresses.ts'

/** Fixed seed, independent of the session's. */
const addressSeed = 11

export function stableAddressOf(id: string): DeliveryPlace['address'] {
  const { latitude, longitude, ...address } = drawAddress(createChance(addressSeed, id))
  return { ...address, country: 'BR', coordinates: { latitude, longitude } }
}
