/**
 * The events of Logistics. The documents show neither names nor payload nor what they say of the status (LOG-UND-06):
 * the names are the public standard's, in three vocabularies, and each tells a status (fields.md, L10 to L12). None
 * of them says anything about an order's status (LOG-EVT-01).
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

/** `steps` names each step of the courier, `status` one event for every change, `manifest` the discovery enum. */
export const eventVocabularies = ['steps', 'status', 'manifest'] as const
export type EventVocabulary = (typeof eventVocabularies)[number]

export const statusChanged = 'delivery.status_changed'

export interface DeliveryEventRow {
  readonly status: DeliveryStatus
  /** The discovery enum's name of the same news; absent where it has none. */
  readonly manifest?: string
  /** It announces a change of status, and not only a step on the way. */
  readonly changes?: true
  readonly step?: CourierStep
  /** What an Ordering Application may tell its own receivers of it: information, never a status. */
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
  // The discovery enum has no name for a failure: the nearest is taken, and `status` says what is so.
  RETURNED_TO_MERCHANT: { status: 'FAILED', manifest: 'LOGISTICS_CANCELLED', changes: true },
  DELIVERY_FINISHED: { status: 'DELIVERED' },
  CANCELLED: { status: 'CANCELLED', manifest: 'LOGISTICS_CANCELLED', changes: true },
}

/** The event that announces a status; a platform that would not take the delivery says REJECTED instead. */
export const eventOfStatus: Readonly<Record<DeliveryStatus, DeliveryEventType>> = {
  PENDING: 'PENDING',
  ASSIGNED: 'ACCEPTED',
  IN_TRANSIT: 'ORDER_PICKED',
  DELIVERED: 'ORDER_DELIVERED',
  CANCELLED: 'CANCELLED',
  FAILED: 'RETURNED_TO_MERCHANT',
}

export const eventOfStep: Readonly<Record<CourierStep, DeliveryEventType>> = {
  'at-store': 'ARRIVED_AT_MERCHANT',
  'half-way': 'DELIVERY_ONGOING',
  'at-customer': 'ARRIVED_AT_CUSTOMER',
}

export const isDeliveryEventType = (type: string): type is DeliveryEventType =>
  Object.hasOwn(deliveryEvents, type)

/** What an event is called in a vocabulary; undefined when that one has no name for it, and it is not sent. */
export function eventName(
  type: DeliveryEventType,
  vocabulary: EventVocabulary,
): string | undefined {
  const { changes, manifest } = deliveryEvents[type]
  if (vocabulary === 'steps') return type
  if (vocabulary === 'manifest') return manifest
  return changes ? statusChanged : undefined
}

/** What somebody's name for an event tells, in whatever vocabulary it is; nothing when nobody knows it. */
export function readEventName(
  name: string,
): Pick<DeliveryEventRow, 'status' | 'step' | 'informs'> | undefined {
  if (isDeliveryEventType(name)) return deliveryEvents[name]
  const row = Object.values(deliveryEvents).find(({ manifest }) => manifest === name)
  if (row) return row
  const dotted = /^delivery\.(\w+)$/.exec(name)?.[1] ?? ''
  const status = dottedStatuses[dotted.toLowerCase()]
  return status && deliveryEvents[eventOfStatus[status]]
}

/** `delivery.assigned`, the only name that one edition's text mentions, and its brothers. */
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

/** The names that a platform with this vocabulary may send. */
export const eventNames = (vocabulary: EventVocabulary): readonly string[] => [
  ...new Set(
    deliveryEventTypes.flatMap((type) => {
      const name = eventName(type, vocabulary)
      return name === undefined ? [] : [name]
    }),
  ),
]
