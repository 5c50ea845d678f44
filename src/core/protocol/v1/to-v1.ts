/**
 * Converts our V2 order to a V1 document (fields.md, 4.5): groups of V2 are flattened to the root, fields that V2 dropped
 * are filled in as far as known, and absent values are omitted, never null.
 */
import { compact } from '../../base/compact.ts'
import type { OrderItem, ItemOption } from '../orders/items.ts'
import type { Order } from '../orders/order.ts'
import type { V1Flags } from './flags.ts'
import type { V1Item, V1Option, V1Order } from './order.ts'

/** V1 has no nested options: they are flattened to follow their parent option, each with its own price. */
function flattenOptions(options: readonly ItemOption[]): V1Option[] {
  return options.flatMap(({ id, name, quantity, pricing, options: inner = [] }) => [
    {
      id,
      name,
      externalCode: id,
      unit: 'UN' as const,
      quantity,
      unitPrice: pricing.unitPrice,
      ...compact({ originalPrice: pricing.originalPrice }),
      totalPrice: pricing.totalPrice,
    },
    ...flattenOptions(inner),
  ])
}

const withIndex = <Line extends object>(line: Line, index: number): Line & { index: number } => ({
  index: index + 1,
  ...line,
})

function lineOf(item: OrderItem): V1Item {
  const { id, name, quantity, pricing } = item
  const options = flattenOptions(item.options ?? []).map(withIndex)
  return {
    id,
    name,
    externalCode: item.externalCode ?? item.itemOfferId ?? id,
    unit: item.unit ?? 'UN',
    quantity,
    ...compact({ specialInstructions: item.observations }),
    unitPrice: pricing.unitPrice,
    ...compact({ originalPrice: pricing.originalPrice, optionsPrice: pricing.optionsPrice }),
    totalPrice: pricing.totalPrice,
    ...(options.length > 0 ? { options } : {}),
  }
}

/** Splits "Rua Augusta, 1200": V2 has no field for the house number, which follows the street. */
function streetAndNumber(text: string): { readonly street: string; readonly number: string } {
  const [, street, number] = /^(.*?),\s*(\d[\w/-]*|s\/n)\s*$/i.exec(text) ?? []
  return street === undefined || number === undefined
    ? { street: text, number: 's/n' }
    : { street, number }
}

/** V1 prefixes the state with the country: BR-SP. */
const stateOf = (state: string): string => (/^[A-Z]{2}-/.test(state) ? state : `BR-${state}`)

function deliveryOf({ fulfillment, createdAt }: Order, { deliveredBy }: V1Flags) {
  const { address = {}, estimatedDeliveryDateTime = createdAt } = fulfillment.delivery ?? {}
  const { city = '', neighborhood = '', postalCode = '', state = '', complement } = address
  const { street, number } = streetAndNumber(address.street ?? '')
  const { latitude = 0, longitude = 0 } = address.coordinates ?? {}
  return {
    deliveredBy,
    deliveryAddress: {
      country: 'BR',
      state: stateOf(state),
      city,
      district: neighborhood,
      street,
      number,
      ...compact({ complement, reference: fulfillment.delivery?.observations }),
      formattedAddress: [`${street}, ${number}`, neighborhood, city, state, postalCode]
        .filter((part) => part !== '')
        .join(' - '),
      postalCode,
      coordinates: { latitude, longitude },
    },
    estimatedDeliveryDateTime,
  }
}

function indoorOf({ fulfillment }: Order, fulfillmentTime: string) {
  const { operationMode, identifier, service, fulfillment: handoff } = fulfillment.indoor ?? {}
  const seat = handoff?.dispatch?.seat?.label
  const location =
    operationMode === 'TABLE'
      ? ({ mode: 'PLACE', place: identifier } as const)
      : operationMode === 'TAB'
        ? ({ mode: 'TAB', tab: identifier } as const)
        : ({ mode: 'DEFAULT' } as const)
  return {
    ...location,
    indoorDateTime: fulfillmentTime,
    ...compact({ seat, waiterCode: service?.waiterCode }),
  }
}

/** The root-level block of the order's type. */
function blockOf(order: Order, flags: V1Flags, fulfillmentTime: string) {
  switch (order.fulfillment.orderType) {
    case 'DELIVERY':
      return { delivery: deliveryOf(order, flags) }
    case 'TAKEOUT':
      return { takeout: { mode: 'DEFAULT' as const, takeoutDateTime: fulfillmentTime } }
    default:
      return { indoor: indoorOf(order, fulfillmentTime) }
  }
}

/** The customer fields of V1, a subset of V2's. */
function customerOf({ customer }: Order): V1Order['customer'] {
  if (!customer) return undefined
  const { id, name, phone, documentNumber, email, ordersCountOnMerchant } = customer
  return { id, name, phone, ...compact({ documentNumber, email }), ordersCountOnMerchant }
}

export function toV1Order(order: Order, flags: V1Flags, lastEvent: string | undefined): V1Order {
  const { timing, merchant } = order
  const preparationStart = timing.preparationStartDateTime ?? order.createdAt
  const fulfillmentTime = timing.schedule?.scheduledDateTimeStart ?? preparationStart
  const otherFees = order.otherFees?.map((fee) => ({
    ...fee,
    receivedBy: fee.receivedBy ?? ('MARKETPLACE' as const),
  }))
  const remarks = [order.observations, order.extraInfo].filter((text) => text !== undefined)
  const { deliveredBy: _deliveredBy, ...sends } = flags
  return {
    id: order.id,
    type: order.fulfillment.orderType,
    displayId: order.displayId,
    ...compact({ sourceAppId: order.sourceAppId, salesChannel: order.context?.salesChannel }),
    category: 'FOOD',
    createdAt: order.createdAt,
    ...compact({ lastEvent }),
    orderTiming: timing.orderTiming,
    preparationStartDateTime: preparationStart,
    merchant: { id: merchant.id, name: merchant.name ?? merchant.id },
    items: order.items.map(lineOf).map(withIndex),
    ...compact({ otherFees, discounts: order.discounts }),
    total: order.total,
    payments: order.payments,
    ...compact({
      taxInvoice: order.taxInvoice,
      customer: customerOf(order),
      schedule: timing.schedule,
      orderPriority: timing.orderPriority,
    }),
    ...blockOf(order, flags, fulfillmentTime),
    ...sends,
    ...(remarks.length > 0 ? { extraInfo: remarks.join('; ') } : {}),
  }
}
