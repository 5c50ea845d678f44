/** A minimal order document, written by hand and independent of the product: two lines, and only required fields. */
export type OrderProfile = 'DELIVERY' | 'TAKEOUT' | 'INDOOR'

export interface StoredOrder {
  id: string
  status: string
  lastEvent?: string
  items: { id: string; quantity: number; status?: string }[]
  [field: string]: unknown
}

const brl = (value: number) => ({ value, currency: 'BRL' })

const blocks = {
  DELIVERY: { delivery: { address: { street: 'Rua Augusta', city: 'São Paulo' } } },
  TAKEOUT: { takeout: { pickupCode: '7' } },
  INDOOR: {
    indoor: {
      operationMode: 'TABLE',
      identifier: '12',
      originChannel: { type: 'QR_CODE' },
      consumptionType: 'DINE_IN',
    },
  },
} as const

/** A minimal order: two lines, only required fields. */
export const minimalOrder = (
  id: string,
  profile: OrderProfile = 'DELIVERY',
  more = {},
): StoredOrder => ({
  id,
  displayId: '1',
  createdAt: '2026-01-05T15:00:00.000Z',
  merchant: { id: 'loja-1', name: 'Loja Um' },
  fulfillment: { orderType: profile, ...blocks[profile] },
  status: 'CREATED',
  ...(profile === 'DELIVERY'
    ? { customer: { id: 'c', name: 'Ana', phone: { number: '1' }, ordersCountOnMerchant: 0 } }
    : {}),
  timing: { orderTiming: 'INSTANT' },
  items: ['x-burger', 'suco'].map((item) => ({
    id: item,
    name: item,
    quantity: 2,
    pricing: { unitPrice: brl(10), totalPrice: brl(20) },
  })),
  total: { itemsPrice: brl(40), otherFees: brl(0), discount: brl(0), orderAmount: brl(40) },
  payments: { prepaid: 40, pending: 0, methods: [] },
  ...more,
})
