/** The step in which our store asks the host of an order to cancel it. */
export const cancelOfStore = {
  command: {
    kind: 'ticket.cancel',
    orderId: 'o1',
    request: {
      reason: 'the kitchen is closed',
      code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
      mode: 'MANUAL',
    },
  },
} as const
