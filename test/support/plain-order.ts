/** A sample order with round numbers. */
import type { Order, OrderType } from '../../src/core/protocol/orders/order.ts'

/** A small valid order with correct totals: two burgers with a side, one lemonade, a fee and a discount. */
export function plainOrder(id: string, type: OrderType = 'DELIVERY'): Order {
  const reais = (value: number): { value: number; currency: string } => ({ value, currency: 'BRL' })
  const block = {
    DELIVERY: { delivery: { address: { street: 'Rua das Flores' } } },
    TAKEOUT: { takeout: { pickupCode: '17' } },
    INDOOR: {
      indoor: {
        operationMode: 'TABLE',
        identifier: '5',
        originChannel: { type: 'QR_CODE' },
        consumptionType: 'DINE_IN',
      },
    },
  } as const
  return {
    id,
    displayId: id.slice(-4),
    createdAt: '2026-01-05T15:00:00.000Z',
    merchant: { id: 'merchant-1', name: 'Lanchonete' },
    fulfillment: { orderType: type, ...block[type] },
    status: 'CREATED',
    customer: {
      id: 'customer-1',
      name: 'Ana',
      phone: { number: '+5511999990000' },
      ordersCountOnMerchant: 3,
    },
    timing: { orderTiming: 'INSTANT' },
    items: [
      {
        id: 'burger',
        name: 'Hambúrguer',
        quantity: 2,
        unit: 'UN',
        pricing: {
          unitPrice: reais(20),
          optionsPrice: reais(5),
          totalPrice: reais(50),
        },
        options: [
          {
            id: 'fries',
            name: 'Fritas',
            quantity: 1,
            pricing: { unitPrice: reais(5), totalPrice: reais(5) },
          },
        ],
      },
      {
        id: 'lemonade',
        name: 'Limonada',
        quantity: 1,
        unit: 'UN',
        pricing: { unitPrice: reais(9.9), totalPrice: reais(9.9) },
      },
    ],
    otherFees: [{ name: 'Entrega', type: 'DELIVERY_FEE', price: reais(7) }],
    discounts: [
      {
        amount: reais(4),
        target: 'CART',
        sponsorshipValues: [{ name: 'MARKETPLACE', amount: reais(4) }],
      },
    ],
    total: {
      itemsPrice: reais(59.9),
      otherFees: reais(7),
      discount: reais(4),
      orderAmount: reais(62.9),
    },
    payments: {
      prepaid: 40,
      pending: 22.9,
      methods: [
        { type: 'PREPAID', method: 'PIX', value: 40, currency: 'BRL' },
        { type: 'PENDING', method: 'CREDIT', value: 22.9, currency: 'BRL' },
      ],
    },
  }
}
