/** Random `fulfillment` of an order: exactly the block of the order's profile (ORD-FLD-05). */
import { type Instant, isoOf } from '../../engine/instant.ts'
import type { Order, OrderType } from '../../protocol/orders/order.ts'
import { assertNever } from '../../protocol/result.ts'
import { distanceInHectometres, type SeedAddress } from './addresses.ts'
import { drawOptional, drawWeighted, weightedBy, type WeightedValue } from './draw.ts'
import { deliveryRemarks, pickupRemarks } from './remarks.ts'
import type { Chance } from '../../engine/chance.ts'
import type { IndoorBlock } from '../../protocol/orders/indoor-block.ts'
import type { SeedCustomer, SeedMerchant } from './types.ts'

/** What the generators of an order's parts share: profile, merchant, customer, address and time. */
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

/**
 * Random `fulfillment.indoor` of an INDOOR order: table, tab or counter, origin channel, and how the food is handed
 * off. Without `account`: a new order has none yet (document 2, order.fulfillment.indoor).
 */
type Mode = IndoorBlock['operationMode']
type Channel = IndoorBlock['originChannel']['type']

const modes = weightedBy<Mode>({ TABLE: 5, TAB: 2, COUNTER: 3 })

const channels: Readonly<Record<Mode, readonly WeightedValue<Channel>[]>> = {
  TABLE: weightedBy({ QR_CODE: 4, WAITER_TABLET: 4, CUSTOMER_TABLET: 2, APP: 1, CHAT: 1 }),
  TAB: weightedBy({ WAITER_TABLET: 3, POS: 3, QR_CODE: 1 }),
  COUNTER: weightedBy({ TOTEM: 5, FRONT_DESK: 3, POS: 2, OTHER: 1 }),
}

/** Channels that are operated by staff. */
const staffed: ReadonlySet<Channel> = new Set(['WAITER_TABLET', 'POS', 'FRONT_DESK'])

const identifiers: Readonly<Record<Mode, (chance: Chance) => string>> = {
  TABLE: (chance) => String(chance.between(1, 30)),
  TAB: (chance) => String(chance.between(100, 399)),
  COUNTER: (chance) => `BALCAO-${chance.between(1, 3)}`,
}

function drawIndoor(context: OrderContext): IndoorBlock {
  const { chance, merchant, customer, place } = context
  const operationMode = place?.operationMode ?? drawWeighted(chance, modes)
  const channel = drawWeighted(chance, channels[operationMode])
  const identifier = place?.identifier ?? identifiers[operationMode](chance)
  const waiter = staffed.has(channel)
    ? merchant.waiters[chance.below(merchant.waiters.length)]
    : undefined
  const service = {
    ...(waiter ? { waiterCode: waiter.code, waiterName: waiter.name } : {}),
    ...(operationMode === 'COUNTER' ? {} : { peopleCount: chance.between(1, 8) }),
  }
  const takesAway = chance.oneIn(operationMode === 'COUNTER' ? 3 : 12)
  return {
    operationMode,
    identifier,
    originChannel: {
      type: channel,
      ...(chance.oneIn(4) ? {} : { id: `${channel.toLowerCase()}-${chance.between(1, 12)}` }),
      ...(channel === 'OTHER' ? { notes: 'Pedido anotado à mão' } : {}),
    },
    consumptionType: takesAway ? 'TAKEAWAY' : 'DINE_IN',
    ...(chance.oneIn(6) ? {} : { fulfillment: drawHandoff(context, operationMode, identifier) }),
    ...(Object.keys(service).length === 0 ? {} : { service }),
    ...(channel === 'CHAT' && customer
      ? { notifications: { chatId: customer.phone.number.slice(1) } }
      : {}),
    ...(chance.oneIn(6) ? {} : { fiscal: drawFiscal(chance) }),
  }
}

/** Food is brought to tables; guests at a counter are called; a tab may be either. */
function drawHandoff(
  { chance, customer }: OrderContext,
  mode: Mode,
  identifier: string,
): NonNullable<IndoorBlock['fulfillment']> {
  if (mode === 'TABLE' || (mode === 'TAB' && chance.oneIn(2))) {
    const seat = chance.between(1, 4)
    return {
      type: 'DISPATCH',
      dispatch: {
        id: `${mode.toLowerCase()}-${identifier}`,
        label: mode === 'TABLE' ? `Mesa ${identifier}` : `Comanda ${identifier}`,
        sector: chance.pick(['Salão', 'Varanda', 'Mezanino', 'Calçada']),
        ...drawOptional(chance, 3, () => ({
          seat: { id: `lugar-${seat}`, label: `Lugar ${seat}` },
        })),
      },
    }
  }
  const notifyOriginator = chance.oneIn(2)
  if (customer && chance.oneIn(3))
    return {
      type: 'CALL',
      call: { notifyOriginator, type: 'CALL_NAME', label: customer.name.split(' ')[0] },
    }
  const number = chance.between(1, 99)
  const call = chance.oneIn(3)
    ? ({ type: 'PAGER', label: `Pager ${number}` } as const)
    : ({ type: 'TICKET_NUMBER', label: `${chance.pick(['A', 'B', 'C'])}${number}` } as const)
  return { type: 'CALL', call: { notifyOriginator, ...call } }
}

function drawFiscal(chance: Chance): NonNullable<IndoorBlock['fiscal']> {
  const shouldIssueDocument = !chance.oneIn(4)
  return {
    shouldIssueDocument,
    documentStatus: shouldIssueDocument ? 'PENDING' : 'NOT_ISSUED',
    printDocument: chance.oneIn(2),
    ...drawOptional(chance, 3, () => ({ paymentNSURequiredForNFCE: chance.oneIn(2) })),
  }
}

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
