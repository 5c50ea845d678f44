/** Context shared by the generators of an order's parts: profile, merchant, customer, address and time. */
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import type { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import type { OrderType } from '../../protocol/orders/order.ts'
import { type SeedAddress, distanceInHectometres } from './addresses.ts'
import type { SeedCustomer, SeedMerchant } from './types.ts'

export interface OrderContext {
  readonly chance: Chance
  readonly now: Instant
  readonly type: OrderType
  readonly merchant: SeedMerchant
  /** Undefined for an anonymous guest or takeout customer. */
  readonly customer?: SeedCustomer | undefined
  /** Delivery address, or the customer's home. */
  readonly address?: SeedAddress | undefined
  /** What is known of the place of an INDOOR order; the rest is drawn. */
  readonly place?: Partial<Pick<IndoorBlock, 'operationMode' | 'identifier'>> | undefined
}

/** Customers live in one city; a merchant of the user's own may be elsewhere. */
const maxHectometres = 300

/** Distance of a delivery in hectometres; 0 for TAKEOUT and INDOOR. */
export const deliveryDistance = ({ type, merchant, address }: OrderContext): number =>
  type === 'DELIVERY' && address
    ? Math.min(maxHectometres, distanceInHectometres(merchant, address))
    : 0
