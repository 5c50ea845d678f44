/**
 * Wire schemas of Logistics. The documents show the fields of a delivery and little of the bodies, so requests are
 * accepted in the documents' names and in the public standard's (LOG-UND-02, LOG-UND-05; fields.md, L1 to L8); unknown
 * fields are kept.
 */
import { withKnownValues } from '../known-values.ts'
import { deliveryEvents, deliveryEventTypes, statusChangedEvent } from './events.ts'
import { z } from 'zod'
import { DeliveryPlace } from './place.ts'
import { deliveryStatuses } from './status.ts'
import { looseObject } from '../../base/lazy-object.ts'

const AnyShape = z.looseObject({})
const dateTime = z.iso.datetime({ offset: true })

/** Field names of the two ends of a delivery: the documents', and the public standard's. */
const documentsNames = () => ({ pickup: AnyShape, dropoff: AnyShape })
const standardNames = () => ({ origin: AnyShape, destination: AnyShape })
const commonFields = () => ({ scheduledFor: dateTime.optional() })

export const AvailabilityRequest = z.union([
  looseObject(() => ({ ...documentsNames(), orderId: z.string().optional(), ...commonFields() })),
  looseObject(() => ({ ...standardNames(), orderId: z.string().optional(), ...commonFields() })),
])
export type AvailabilityRequest = z.infer<typeof AvailabilityRequest>

/** Money in another form than in Orders: `amount`, not `value` (LOG-FLD-06). */
export const DeliveryPrice = looseObject(() => ({ amount: z.number(), currency: z.string() }))
export type DeliveryPrice = z.infer<typeof DeliveryPrice>

export const Availability = looseObject(() => ({
  available: z.boolean(),
  price: DeliveryPrice.optional(),
  eta: dateTime.optional(),
  quoteId: z.string().optional(),
  estimatedDeliveryMinutes: z.int().optional(),
  deliveryFee: z.looseObject({ value: z.int(), currency: z.string() }).optional(),
  unavailableReason: z.string().optional(),
}))
export type Availability = z.infer<typeof Availability>

const creationFields = () => ({
  orderId: z.string().min(1).max(200),
  orderDisplayId: z.string().max(200).optional(),
  customer: AnyShape.optional(),
  scheduledPickupAt: dateTime.optional(),
  observations: z.string().max(2000).optional(),
})

/** A delivery without id and status (LOG-UND-05), or the public standard's creation body (fields.md, L4). */
export const DeliveryCreation = z.union([
  looseObject(() => ({ ...creationFields(), merchant: AnyShape, ...documentsNames() })),
  looseObject(() => ({ ...creationFields(), merchantId: z.string().min(1), ...standardNames() })),
])
export type DeliveryCreation = z.infer<typeof DeliveryCreation>

export const DeliveryReceipt = looseObject(() => ({ deliveryId: z.string().optional() }))

/** One incident; entries are only added, never replaced (LOG-RUL-04). */
export const ProblemEntry = looseObject(() => ({
  code: z.string(),
  description: z.string().optional(),
  occurredAt: dateTime,
  recoverable: z.boolean().optional(),
}))
export type ProblemEntry = z.infer<typeof ProblemEntry>

export const CourierData = looseObject(() => ({
  name: z.string().optional(),
  phone: z.string().optional(),
  vehicle: z.string().optional(),
  tracking: AnyShape.optional(),
}))

/** The delivery as GET returns it (document 3, Resources; LOG-FLD-01 to 08). */
export const Delivery = looseObject(() => ({
  id: z.string(),
  orderId: z.string(),
  status: z.enum(deliveryStatuses),
  merchant: DeliveryPlace,
  pickup: DeliveryPlace,
  dropoff: DeliveryPlace,
  courier: CourierData.optional(),
  price: DeliveryPrice.optional(),
  eta: dateTime.optional(),
  trackingUrl: z.string().optional(),
  problems: z.array(ProblemEntry).optional(),
}))
export type Delivery = z.infer<typeof Delivery>

/** Field names for the code of a problem report, the public standard's first (fields.md, L7). */
export const problemCodeFields = ['problemCode', 'code', 'reason', 'type'] as const

/** The reasons that the public standard lists. */
export const problemReasons = [
  'DELIVERYPERSON_OCCURRENCE',
  'PAYMENT_PROBLEMS',
  'WRONG_PRODUCT_OR_ITEM',
  'ORDER_DELAYED',
  'ORDER_DAMAGED_OR_VIOLATED',
  'CUSTOMER_DID_NOT_PLACE_ORDER',
  'CUSTOMER_ADDRESS_UNKNOWN',
  'ORDER_MISSING_ITEMS',
  'NOBODY_TO_RECEIVE',
  'DELIVERYPERSON_WAITING_PAYMENT_FOR_ALREADY_PAID_ORDER',
  'ORDER_DELIVERED_WITHOUT_PAYMENT',
  'FRAUD_OR_THEFT',
  'OTHER',
] as const

export const ProblemReport = looseObject(() => ({
  problemCode: z.string().min(1).max(200).optional(),
  code: z.string().min(1).max(200).optional(),
  reason: z.string().min(1).max(200).optional(),
  type: z.string().min(1).max(200).optional(),
  description: z.string().max(2000).optional(),
  message: z.string().max(2000).optional(),
  action: z.string().optional(),
  recoverable: z.boolean().optional(),
  canFinishDeliver: z.boolean().optional(),
}))
export type ProblemReport = z.infer<typeof ProblemReport>

export const DeliveryCancellation = looseObject(() => ({
  cancellationCode: z.string().min(1).max(200).optional(),
  reason: z.string().max(2000).optional(),
  action: z.string().optional(),
  message: z.string().max(2000).optional(),
}))
export type DeliveryCancellation = z.infer<typeof DeliveryCancellation>

/** The public standard's fields of the other progress calls; all optional (fields.md, L6). */
export const ReadyForPickupBody = looseObject(() => ({
  observation: z.string().max(2000).optional(),
}))
export const CollectedBody = looseObject(() => ({
  pickupDate: dateTime.optional(),
  volumePicked: z.int().optional(),
  observation: z.string().max(2000).optional(),
}))
export const DeliveredBody = looseObject(() => ({
  finishDate: dateTime.optional(),
  observation: z.string().max(2000).optional(),
}))

const deliveryEventNames = [
  ...deliveryEventTypes,
  ...new Set(Object.values(deliveryEvents).flatMap(({ manifest }) => manifest ?? [])),
  statusChangedEvent,
]

/** Any object with an orderId is accepted as an event (LOG-UND-06). */
export const DeliveryEvent = looseObject(() => ({
  orderId: z.string().min(1).max(200),
  eventType: withKnownValues(z.unknown(), deliveryEventNames)
    .optional()
    .describe('the type, in one of three vocabularies; or `event.type` with one of these'),
}))
export type DeliveryEvent = z.infer<typeof DeliveryEvent>
