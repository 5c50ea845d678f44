/** Request bodies of the Logistics calls: order, pickup and dropoff, in the field names of the protocol. */
import type { DefectSwitch } from './defects.ts'
import type { OrderDocument } from './order-document.ts'

export interface DeliveryPlace {
  readonly address: Readonly<Record<string, unknown>>
  readonly contact: Readonly<Record<string, unknown>>
}

/** The pickup address when none is configured. */
export const defaultStore: DeliveryPlace = {
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
  store: DeliveryPlace,
  wrong: DefectSwitch,
): { readonly pickup: DeliveryPlace; readonly dropoff: DeliveryPlace } {
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

export const availabilityBody = (
  order: OrderDocument,
  store: DeliveryPlace,
  wrong: DefectSwitch,
): object => ({
  orderId: order.id,
  ...placesOf(order, store, wrong),
})

/** What the courier collects at the door, by the names of methods that a delivery knows. */
function paymentsOf({ payments }: OrderDocument, wrong: DefectSwitch): object {
  const due = (payments?.methods ?? []).filter(
    ({ type }) => type === 'PENDING' || wrong('collects-what-is-paid'),
  )
  if (!payments) return {}
  if (due.length === 0) return { payments: { method: 'ONLINE' } }
  const offlineMethod = due.map(({ method, value, currency }) => ({
    type: doorMethods.has(method) ? method : 'OTHER',
    amount: { value, currency },
  }))
  return { payments: { method: 'OFFLINE', offlineMethod } }
}

const doorMethods: ReadonlySet<string> = new Set(
  'CREDIT DEBIT MEAL_VOUCHER FOOD_VOUCHER PIX CASH CREDIT_DEBIT'.split(' '),
)

function priceOf({ total, items }: OrderDocument, wrong: DefectSwitch): object {
  if (!total?.orderAmount) return {}
  if (!wrong('adds-up-without-options')) return { totalOrderPrice: total.orderAmount }
  const value = items.reduce(
    (sum, { quantity, pricing }) => sum + quantity * (pricing?.unitPrice.value ?? 0),
    0,
  )
  return { totalOrderPrice: { ...total.orderAmount, value } }
}

/** When the kitchen begins, as the courier is to know it. */
function beginOf({ timing }: OrderDocument, wrong: DefectSwitch): object {
  const begin = timing?.preparationStartDateTime
  if (begin === undefined) return {}
  const isUtc = wrong('reads-local-times-as-utc')
  return { preparationStartDateTime: isUtc ? begin.replace(/[+-]\d\d:\d\d$/, 'Z') : begin }
}

/** `orderId` is always that of the order, even when a defect fills the rest from another one. */
export function creationBody(
  orderId: string,
  order: OrderDocument,
  store: DeliveryPlace,
  wrong: DefectSwitch,
): object {
  const { pickup, dropoff } = placesOf(order, store, wrong)
  const { displayId, merchant } = order
  return {
    orderId,
    ...(displayId === undefined ? {} : { orderDisplayId: displayId }),
    merchant: { ...pickup, ...merchant },
    pickup,
    dropoff,
    ...beginOf(order, wrong),
    ...priceOf(order, wrong),
    ...paymentsOf(order, wrong),
  }
}
