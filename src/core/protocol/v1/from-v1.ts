/**
 * Converts a received V1 order to the V2 document, with a status derived from events, since V1 documents have none.
 * Parsing is lenient: partners leave out many fields that V1 requires, and an order must not be rejected for that.
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import type { OrderItem, ItemOption } from '../orders/items.ts'
import { type Order, type OrderStatus, orderTypes } from '../orders/order.ts'
import type { V1Flags } from './flags.ts'
import { V1Item, type V1Option, V1Order } from './order.ts'
import { looseObject } from '../../base/lazy-object.ts'

/** Many partners number their items and have no codes for them. */
const ReceivedItem = V1Item.partial({ externalCode: true, unit: true })
type ReceivedItem = z.infer<typeof ReceivedItem>

/** Only `id` and `type` are required; any other invalid field counts as absent. */
const ReceivedV1Order = looseObject(() => ({
  ...Object.fromEntries(
    Object.entries(V1Order.shape).map(([name, field]: [string, z.ZodType]) => [
      name,
      field.optional().catch(undefined),
    ]),
  ),
  id: z.string().min(1),
  type: z.enum(orderTypes),
  items: z
    .array(ReceivedItem.optional().catch(undefined))
    .catch([])
    .transform((items) => items.filter((item) => item !== undefined)),
}))

export interface ParsedV1Order {
  readonly order: Order
  readonly flags: V1Flags
  readonly lastEvent?: string
}

function optionOf(option: V1Option): ItemOption {
  const { id, name, quantity, unitPrice, originalPrice, totalPrice } = option
  return {
    id,
    name,
    quantity: Math.max(1, Math.round(quantity)),
    pricing: { unitPrice, ...compact({ originalPrice }), totalPrice },
  }
}

function itemOf(item: ReceivedItem): OrderItem {
  const { id, name, externalCode, quantity, unit, unitPrice, totalPrice } = item
  const { originalPrice, optionsPrice, specialInstructions: observations } = item
  const options = item.options?.map(optionOf)
  return {
    id,
    name,
    quantity,
    ...compact({ externalCode, unit }),
    pricing: { unitPrice, ...compact({ originalPrice, optionsPrice }), totalPrice },
    ...compact({ options, observations }),
  }
}

function deliveryOf(delivery: V1Order['delivery']): Order['fulfillment'] {
  const { deliveryAddress: source, estimatedDeliveryDateTime } = delivery ?? {}
  const address = source && {
    street: `${source.street}, ${source.number}`,
    neighborhood: source.district,
    city: source.city,
    state: source.state,
    postalCode: source.postalCode,
    coordinates: source.coordinates,
    ...compact({ complement: source.complement }),
  }
  return { orderType: 'DELIVERY', delivery: compact({ address, estimatedDeliveryDateTime }) }
}

function indoorOf(indoor: V1Order['indoor']): Order['fulfillment'] {
  const { mode, place, tab, waiterCode } = indoor ?? {}
  return {
    orderType: 'INDOOR',
    indoor: {
      operationMode: mode === 'PLACE' ? 'TABLE' : mode === 'TAB' ? 'TAB' : 'COUNTER',
      identifier: place ?? tab ?? '1',
      originChannel: { type: 'OTHER' },
      consumptionType: 'DINE_IN',
      ...(waiterCode === undefined ? {} : { service: { waiterCode } }),
    },
  }
}

function fulfillmentOf({ type, delivery, indoor }: Partial<V1Order>): Order['fulfillment'] {
  if (type === 'DELIVERY') return deliveryOf(delivery)
  if (type === 'INDOOR') return indoorOf(indoor)
  return { orderType: 'TAKEOUT', takeout: {} }
}

const anonymousCustomer: NonNullable<Order['customer']> = {
  id: '',
  name: '',
  phone: { number: '' },
  ordersCountOnMerchant: 0,
}

const zeroPrice = { value: 0, currency: 'BRL' } as const
const noTotal = {
  itemsPrice: zeroPrice,
  otherFees: zeroPrice,
  discount: zeroPrice,
  orderAmount: zeroPrice,
}

/** Fields that the partner left out get neutral values. */
function orderOf(
  parsedOrder: Partial<V1Order> & Pick<V1Order, 'id' | 'type'>,
  status: OrderStatus,
): Order {
  const { schedule, orderPriority, preparationStartDateTime, salesChannel, customer } = parsedOrder
  return {
    id: parsedOrder.id,
    displayId: parsedOrder.displayId ?? parsedOrder.id,
    createdAt: parsedOrder.createdAt ?? '1970-01-01T00:00:00Z',
    ...compact({ sourceAppId: parsedOrder.sourceAppId, lastEvent: parsedOrder.lastEvent }),
    merchant: parsedOrder.merchant ?? { id: '' },
    fulfillment: fulfillmentOf(parsedOrder),
    status,
    ...(customer
      ? {
          customer: {
            ...customer,
            ordersCountOnMerchant: Math.round(customer.ordersCountOnMerchant),
          },
        }
      : parsedOrder.type === 'DELIVERY'
        ? { customer: anonymousCustomer }
        : {}),
    timing: {
      // Without a schedule the order is not SCHEDULED.
      orderTiming:
        parsedOrder.orderTiming === 'SCHEDULED' && !schedule
          ? 'INSTANT'
          : (parsedOrder.orderTiming ?? 'INSTANT'),
      ...compact({ schedule, orderPriority, preparationStartDateTime }),
    },
    items: (parsedOrder.items ?? []).map(itemOf),
    ...compact({
      otherFees: parsedOrder.otherFees,
      discounts: parsedOrder.discounts,
      taxInvoice: parsedOrder.taxInvoice,
      extraInfo: parsedOrder.extraInfo,
    }),
    total: parsedOrder.total ?? noTotal,
    payments: parsedOrder.payments ?? { prepaid: 0, pending: 0, methods: [] },
    ...(salesChannel === undefined ? {} : { context: { salesChannel } }),
  }
}

/** The flags of a received order; an absent flag is false. */
const flagsOf = (parsedOrder: Partial<V1Order>): V1Flags => ({
  sendPreparing: parsedOrder.sendPreparing ?? false,
  sendDelivered: parsedOrder.sendDelivered ?? false,
  sendPickedUp: parsedOrder.sendPickedUp ?? false,
  sendTracking: parsedOrder.sendTracking ?? false,
  deliveredBy: parsedOrder.delivery?.deliveredBy ?? 'MERCHANT',
})

/** Parses a V1 order; `statusOf` derives its status. Returns a sentence about the first invalid field on failure. */
export function fromV1Order(
  body: unknown,
  statusOf: (lastEvent: string | undefined) => OrderStatus,
): ParsedV1Order | string {
  const parsed = ReceivedV1Order.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `the order is invalid at ${issue?.path.join('.') || 'its root'}: ${issue?.message}`
  }
  const parsedOrder = parsed.data as Partial<V1Order> & Pick<V1Order, 'id' | 'type'>
  const { lastEvent } = parsedOrder
  return {
    order: orderOf(parsedOrder, statusOf(lastEvent)),
    flags: flagsOf(parsedOrder),
    ...compact({ lastEvent }),
  }
}
