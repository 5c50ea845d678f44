/** The statuses of a delivery, and the steps of its courier between them. */

export const deliveryStatuses = [
  'PENDING',
  'ASSIGNED',
  'IN_TRANSIT',
  'DELIVERED',
  'CANCELLED',
  'FAILED',
] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** What the courier does between two changes of status. */
export const courierSteps = ['at-store', 'half-way', 'at-customer'] as const

export type CourierStep = (typeof courierSteps)[number]
