/** Generates sample orders: complete documents with correct totals. */
import type { Clock } from './clock.ts'
import type { OrderStatus, Profile } from './lifecycle.ts'

export const referenceMerchant = { id: 'reference-store', name: 'Reference Store' } as const

interface Dish {
  readonly name: string
  readonly cents: number
}

const dishes: readonly [Dish, ...Dish[]] = [
  { name: 'X-Burger', cents: 2850 },
  { name: 'Feijoada', cents: 4590 },
  { name: 'Pastel de queijo', cents: 990 },
  { name: 'Suco de laranja', cents: 1250 },
  { name: 'Pudim', cents: 1100 },
]

const deliveryFeeCents = 790

const money = (cents: number) => ({ value: cents / 100, currency: 'BRL' })

/** A random integer below `max`. */
const below = (max: number, clock: Clock): number => Math.floor(clock.random() * max)

function itemsOf(orderId: string, clock: Clock) {
  const lines = 1 + below(3, clock)
  return Array.from({ length: lines }, (_, index) => {
    const { name, cents } = dishes[below(dishes.length, clock)] ?? dishes[0]
    const quantity = 1 + below(3, clock)
    return {
      cents: cents * quantity,
      item: {
        id: `${orderId}-${index + 1}`,
        name,
        quantity,
        unit: 'UN',
        pricing: { unitPrice: money(cents), totalPrice: money(cents * quantity) },
      },
    }
  })
}

function blockOf(profile: Profile, table: number): object {
  switch (profile) {
    case 'DELIVERY':
      return {
        delivery: {
          address: {
            street: 'Rua Harmonia, 12',
            neighborhood: 'Vila Madalena',
            city: 'São Paulo',
            state: 'SP',
            country: 'BR',
            postalCode: '05435-000',
            coordinates: { latitude: -23.553, longitude: -46.688 },
          },
        },
      }
    case 'TAKEOUT':
      return { takeout: { pickupCode: String(1000 + table) } }
    case 'INDOOR':
      return {
        indoor: {
          operationMode: 'TABLE',
          identifier: String(table),
          originChannel: { type: 'QR_CODE' },
          consumptionType: 'DINE_IN',
        },
      }
    default:
      return profile satisfies never
  }
}

export interface OriginalOrder {
  readonly id: string
  readonly status: OrderStatus
  readonly merchant: { readonly id: string; readonly name: string }
  readonly fulfillment: {
    readonly orderType: Profile
    readonly indoor?: { readonly operationMode: string; readonly identifier: string }
  }
  readonly [field: string]: unknown
}

/** The n-th order; every INDOOR order has its own table. */
export function composeOrder(number: number, profile: Profile, clock: Clock): OriginalOrder {
  const id = `reference-${number}-${below(2 ** 32, clock).toString(36)}`
  const lines = itemsOf(id, clock)
  const itemsCents = lines.reduce((sum, { cents }) => sum + cents, 0)
  const feesCents = profile === 'DELIVERY' ? deliveryFeeCents : 0
  const amount = money(itemsCents + feesCents)
  const fee = {
    name: 'Entrega',
    type: 'DELIVERY_FEE',
    receivedBy: 'MARKETPLACE',
    price: money(feesCents),
  }
  // INDOOR orders are paid at the table, through the account.
  const type = profile === 'INDOOR' ? 'PENDING' : 'PREPAID'
  return {
    id,
    displayId: String(number),
    createdAt: new Date(clock.now()).toISOString(),
    merchant: referenceMerchant,
    fulfillment: { orderType: profile, ...blockOf(profile, number) },
    status: 'CREATED',
    customer: {
      id: `customer-${number}`,
      name: 'Ana Souza',
      phone: { number: '+5511900000002' },
      ordersCountOnMerchant: 0,
    },
    timing: { orderTiming: 'INSTANT' },
    items: lines.map(({ item }) => item),
    ...(feesCents > 0 ? { otherFees: [fee] } : {}),
    total: {
      itemsPrice: money(itemsCents),
      otherFees: money(feesCents),
      discount: money(0),
      orderAmount: amount,
    },
    payments: {
      prepaid: type === 'PREPAID' ? amount.value : 0,
      pending: type === 'PENDING' ? amount.value : 0,
      methods: [{ type, method: 'PIX', ...amount }],
    },
  }
}
