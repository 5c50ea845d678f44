/** The step in which the customer of an order at our host changes their mind. */
export const cancelOfCustomer = {
  trigger: {
    order: 'o1',
    move: 'cancel',
    code: 'CONSUMER_CANCELLATION_REQUESTED',
    reason: 'the customer changed their mind',
  },
} as const
