/** What a platform is told of a delivery, in the documents' names: whose it is, where it begins and where it ends. */
import type { Wrong } from './defects.ts'
import type { OrderDocument } from './order-document.ts'

export interface Place {
  readonly address: Readonly<Record<string, unknown>>
  readonly contact: Readonly<Record<string, unknown>>
}

/** Where the food is, unless somebody says where. */
export const usualStore: Place = {
  address: {
    street: 'Rua Augusta, 100',
    city: 'São Paulo',
    state: 'SP',
    country: 'BR',
    postalCode: '01305-000',
    coordinates: { latitude: -23.551, longitude: -46.656 },
  },
  contact: { phone: '+551190000001' },
}

function placesOf(
  { merchant, fulfillment, customer }: OrderDocument,
  store: Place,
  wrong: Wrong,
): { readonly pickup: Place; readonly dropoff: Place } {
  const name = merchant.name
  const pickup = { ...store, contact: { ...store.contact, ...(name ? { name } : {}) } }
  const phone = customer?.phone?.number
  const dropoff = {
    address: fulfillment.delivery?.address ?? {},
    contact: {
      ...(customer?.name ? { name: customer.name } : {}),
      ...(phone === undefined ? {} : { phone }),
    },
  }
  return wrong('swaps-addresses') ? { pickup: dropoff, dropoff: pickup } : { pickup, dropoff }
}

export const availabilityBody = (order: OrderDocument, store: Place, wrong: Wrong): object => ({
  orderId: order.id,
  ...placesOf(order, store, wrong),
})

/** `orderId` says which order it is for, even where a mistake fills in the rest from another. */
export function creationBody(
  orderId: string,
  order: OrderDocument,
  store: Place,
  wrong: Wrong,
): object {
  const { pickup, dropoff } = placesOf(order, store, wrong)
  const { displayId, merchant, total } = order
  return {
    orderId,
    ...(displayId === undefined ? {} : { orderDisplayId: displayId }),
    merchant: { ...pickup, ...merchant },
    pickup,
    dropoff,
    ...(total?.orderAmount ? { totalOrderPrice: total.orderAmount } : {}),
  }
}
