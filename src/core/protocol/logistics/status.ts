/** The statuses of a delivery, and the courier's steps between them. */

export const deliveryStatuses = [
  'PENDING',
  'ASSIGNED',
  'IN_TRANSIT',
  'DELIVERED',
  'CANCELLED',
  'FAILED',
] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The courier's steps between two changes of status. */
export const courierSteps = ['at-store', 'half-way', 'at-customer'] as const

export type CourierStep = (typeof courierSteps)[number]
