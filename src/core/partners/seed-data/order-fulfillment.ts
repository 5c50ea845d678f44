/** Random `fulfillment` of an order: exactly the block of the order's profile (ORD-FLD-05). */
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { assertNever } from '../../protocol/result.ts'
import type { SeedAddress } from './addresses.ts'
import { drawOptional } from './draw.ts'
import { drawIndoor } from './order-indoor.ts'
import type { OrderContext } from './order-context.ts'
import { deliveryRemarks, pickupRemarks } from './remarks.ts'

type Fulfillment = Order['fulfillment']

export function drawFulfillment(context: OrderContext, arrival: Instant): Fulfillment {
  const { chance, type, address } = context
  const billing = address
    ? drawOptional(chance, 5, () => ({ billingAddress: billingAddressOf(address) }))
    : {}
  switch (type) {
    case 'DELIVERY':
      return {
        orderType: type,
        ...billing,
        delivery: {
          ...(address ? { address: deliveryAddressOf(address) } : {}),
          estimatedDeliveryDateTime: isoOf(arrival),
          ...drawOptional(chance, 3, () => ({ observations: chance.pick(deliveryRemarks) })),
        },
      }
    case 'TAKEOUT':
      return {
        orderType: type,
        ...billing,
        takeout: {
          pickupCode: String(chance.between(1000, 9999)),
          ...drawOptional(chance, 4, () => ({ observations: chance.pick(pickupRemarks) })),
        },
      }
    case 'INDOOR':
      return { orderType: type, ...billing, indoor: drawIndoor(context) }
    default:
      return assertNever(type)
  }
}

const billingAddressOf = (address: SeedAddress): NonNullable<Fulfillment['billingAddress']> => {
  const { latitude: _, longitude: __, ...rest } = address
  return { ...rest, country: 'BR' }
}

/** A delivery address has no field for the house number: it is appended to the street. */
function deliveryAddressOf(
  address: SeedAddress,
): NonNullable<NonNullable<Fulfillment['delivery']>['address']> {
  const { latitude, longitude, street, number, ...rest } = address
  return { street: `${street}, ${number}`, ...rest, coordinates: { latitude, longitude } }
}
