/** An order document of a store that the subject does not know. */
export const orderOfAnotherStore = {
  displayId: '4711',
  createdAt: '2026-01-05T15:00:00.000Z',
  merchant: { id: 'another-store', name: 'Another store' },
  fulfillment: { orderType: 'TAKEOUT', takeout: { pickupCode: '17' } },
  timing: { orderTiming: 'INSTANT' },
  items: [
    {
      id: 'soup',
      name: 'Soup',
      quantity: 1,
      pricing: {
        unitPrice: { value: 18, currency: 'BRL' },
        totalPrice: { value: 18, currency: 'BRL' },
      },
    },
  ],
  total: {
    itemsPrice: { value: 18, currency: 'BRL' },
    otherFees: { value: 0, currency: 'BRL' },
    discount: { value: 0, currency: 'BRL' },
    orderAmount: { value: 18, currency: 'BRL' },
  },
  payments: { prepaid: 18, pending: 0, methods: [] },
}
