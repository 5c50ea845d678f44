/** An order document in part that holds everything optional: what a service is asked for where it has a choice. */
import type { OrderType } from '../../core/protocol/orders/order.ts'
import { isoOf } from '../../core/engine/instant.ts'

const price = (value: number) => ({ value, currency: 'BRL' })

const option = (name: string, more: object = {}) => ({
  id: name.toLowerCase(),
  name,
  quantity: 1,
  defaultQuantity: 0,
  pricing: { unitPrice: price(2), totalPrice: price(2) },
  ...more,
})

/** Two items, the first of them three times; one has options within options. */
export const fullOrderDocument = (
  type: OrderType,
  now: number,
): Readonly<Record<string, unknown>> => ({
  fulfillment: { orderType: type },
  timing: {
    orderTiming: 'SCHEDULED',
    schedule: {
      scheduledDateTimeStart: isoOf(now + 3_600_000),
      scheduledDateTimeEnd: isoOf(now + 5_400_000),
    },
    orderPriority: 'PRIORITY2',
  },
  context: { salesChannel: 'APP' },
  observations: 'sem talheres',
  unavailabilityPreference: 'REMOVE_ITEM',
  customer: { name: 'Ana Souza', birthDate: '1990-04-17', gender: 'FEMALE' },
  items: [
    {
      id: 'item-1',
      itemOfferId: 'offer-1',
      name: 'Pastel',
      quantity: 3,
      observations: 'bem quente',
      pricing: { unitPrice: price(9), totalPrice: price(27) },
    },
    {
      id: 'item-2',
      name: 'Combo',
      quantity: 1,
      options: [option('Bebida', { options: [option('Gelo')] })],
      pricing: { unitPrice: price(20), optionsPrice: price(4), totalPrice: price(24) },
    },
  ],
})
