/**
 * Delivery events. The documents give neither names nor payload nor their effect on the status (LOG-UND-06): the names
 * are the public standard's, in three vocabularies, each mapped to a delivery status (fields.md, L10 to L12). None
 * changes an order's status (LOG-EVT-01).
 */
import type { OrderEventType } from '../orders/events.ts'
import type { CourierStep, DeliveryStatus } from './status.ts'

export const deliveryEventTypes = [
  'PENDING',
  'ACCEPTED',
  'REJECTED',
  'PICKUP_ONGOING',
  'ARRIVED_AT_MERCHANT',
  'ORDER_PICKED',
  'DELIVERY_ONGOING',
  'ARRIVED_AT_CUSTOMER',
  'ORDER_DELIVERED',
  'RETURNING_TO_MERCHANT',
  'RETURNED_TO_MERCHANT',
  'DELIVERY_FINISHED',
  'CANCELLED',
] as const
export type DeliveryEventType = (typeof deliveryEventTypes)[number]

/**
 * `steps` has a name for each courier step, `status` one event for every change, `manifest` the discovery enum's names.
 */
export const eventVocabularies = ['steps', 'status', 'manifest'] as const
export type EventVocabulary = (typeof eventVocabularies)[number]

export const statusChangedEvent = 'delivery.status_changed'

export interface DeliveryEventRow {
  readonly status: DeliveryStatus
  /** The discovery enum's name for the event; absent where it has none. */
  readonly manifest?: string
  /** It announces a change of status, not only a courier step. */
  readonly changes?: true
  readonly step?: CourierStep
  /** The informational order event that an Ordering Application may send for it; never a status. */
  readonly informs?: OrderEventType
}

export const deliveryEvents: Readonly<Record<DeliveryEventType, DeliveryEventRow>> = {
  PENDING: { status: 'PENDING', manifest: 'LOGISTICS_CREATED', changes: true },
  ACCEPTED: {
    status: 'ASSIGNED',
    manifest: 'LOGISTICS_ASSIGNED',
    changes: true,
    informs: 'PICKUP_ONGOING',
  },
  REJECTED: { status: 'CANCELLED', manifest: 'LOGISTICS_CANCELLED', changes: true },
  PICKUP_ONGOING: { status: 'ASSIGNED', informs: 'PICKUP_ONGOING' },
  ARRIVED_AT_MERCHANT: {
    status: 'ASSIGNED',
    step: 'at-store',
    informs: 'RIDER_ARRIVED_AT_STORE',
  },
  ORDER_PICKED: { status: 'IN_TRANSIT', manifest: 'LOGISTICS_PICKED_UP', changes: true },
  DELIVERY_ONGOING: { status: 'IN_TRANSIT', step: 'half-way', informs: 'DELIVERY_ONGOING' },
  ARRIVED_AT_CUSTOMER: {
    status: 'IN_TRANSIT',
    step: 'at-customer',
    informs: 'ARRIVED_AT_CUSTOMER',
  },
  ORDER_DELIVERED: { status: 'DELIVERED', manifest: 'LOGISTICS_DELIVERED', changes: true },
  RETURNING_TO_MERCHANT: { status: 'IN_TRANSIT' },
  // The discovery enum has no name for a failure: the nearest is used, and `status` is exact.
  RETURNED_TO_MERCHANT: { status: 'FAILED', manifest: 'LOGISTICS_CANCELLED', changes: true },
  DELIVERY_FINISHED: { status: 'DELIVERED' },
  CANCELLED: { status: 'CANCELLED', manifest: 'LOGISTICS_CANCELLED', changes: true },
}

/** The event of a status; a platform that rejects the delivery sends REJECTED instead. */
export const deliveryEventOfStatus: Readonly<Record<DeliveryStatus, DeliveryEventType>> = {
  PENDING: 'PENDING',
  ASSIGNED: 'ACCEPTED',
  IN_TRANSIT: 'ORDER_PICKED',
  DELIVERED: 'ORDER_DELIVERED',
  CANCELLED: 'CANCELLED',
  FAILED: 'RETURNED_TO_MERCHANT',
}

export const deliveryEventOfStep: Readonly<Record<CourierStep, DeliveryEventType>> = {
  'at-store': 'ARRIVED_AT_MERCHANT',
  'half-way': 'DELIVERY_ONGOING',
  'at-customer': 'ARRIVED_AT_CUSTOMER',
}

export const isDeliveryEventType = (type: string): type is DeliveryEventType =>
  Object.hasOwn(deliveryEvents, type)

/** An event's name in a vocabulary; undefined when it has none there, and the event is not sent. */
export function deliveryEventName(
  type: DeliveryEventType,
  vocabulary: EventVocabulary,
): string | undefined {
  const { changes, manifest } = deliveryEvents[type]
  if (vocabulary === 'steps') return type
  if (vocabulary === 'manifest') return manifest
  return changes ? statusChangedEvent : undefined
}

/** Parses an event name of any vocabulary; undefined when unknown. */
export function readDeliveryEventName(
  name: string,
): Pick<DeliveryEventRow, 'status' | 'step' | 'informs'> | undefined {
  if (isDeliveryEventType(name)) return deliveryEvents[name]
  const row = Object.values(deliveryEvents).find(({ manifest }) => manifest === name)
  if (row) return row
  const dotted = /^delivery\.(\w+)$/.exec(name)?.[1] ?? ''
  const status = dottedStatuses[dotted.toLowerCase()]
  return status && deliveryEvents[deliveryEventOfStatus[status]]
}

/** `delivery.…` names; one edition's text mentions `delivery.assigned` only, the others are analogous. */
const dottedStatuses: Readonly<Record<string, DeliveryStatus>> = {
  created: 'PENDING',
  pending: 'PENDING',
  assigned: 'ASSIGNED',
  collected: 'IN_TRANSIT',
  picked_up: 'IN_TRANSIT',
  in_transit: 'IN_TRANSIT',
  delivered: 'DELIVERED',
  cancelled: 'CANCELLED',
  failed: 'FAILED',
}

/** The event names that a platform with this vocabulary may send. */
export const deliveryEventNames = (vocabulary: EventVocabulary): readonly string[] => [
  ...new Set(
    deliveryEventTypes.flatMap((type) => {
      const name = deliveryEventName(type, vocabulary)
      return name === undefined ? [] : [name]
    }),
  ),
]
