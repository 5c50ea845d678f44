/**
 * Request bodies of a consumer: always the three places with address and contact (LOG-FLD-04), in the documents' names,
 * the public standard's, or both (LOG-UND-02, LOG-UND-05). Paths carry the order's id, never the delivery's
 * (LOG-TEN-02).
 */
import { compact } from '../../base/compact.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { LogisticsConduct } from '../../protocol/logistics/conduct.ts'
import { type DeliveryPlace, nonEmptyString } from '../../protocol/logistics/place.ts'
import type { CallIntent } from '../calls/call.ts'
import { type Instant, isoOf } from '../instant.ts'
import type { ShipmentCall } from './commands.ts'
import type { DeliveryRequest } from './delivery.ts'
import type { ShipmentRecord } from './shipment.ts'

type Names = LogisticsConduct['names']

const usesDocumentNames = (names: Names): boolean => names !== 'standard'
const usesStandardNames = (names: Names): boolean => names !== 'documents'

const merchantIdOf = ({ merchant }: DeliveryRequest): object => {
  const id = nonEmptyString(merchant.id)
  return id === undefined ? {} : { merchantId: id }
}

const placeBody = ({ address, contact }: DeliveryPlace): DeliveryPlace => ({ address, contact })

/** The public standard requires a country, which the address of an order does not have (fields.md, L3 and O7). */
const inCountry = ({ address }: DeliveryPlace): DeliveryPlace['address'] => ({
  ...address,
  country: nonEmptyString(address['country']) ?? 'BR',
})

const standardRoute = ({ pickup, dropoff }: DeliveryRequest): object => ({
  origin: inCountry(pickup),
  destination: inCountry(dropoff),
})

export function availabilityRequestBody(demand: DeliveryRequest, names: Names): object {
  const { orderId, pickup, dropoff } = demand
  return {
    orderId,
    ...(usesDocumentNames(names) ? { pickup: placeBody(pickup), dropoff: placeBody(dropoff) } : {}),
    ...(usesStandardNames(names) ? { ...merchantIdOf(demand), ...standardRoute(demand) } : {}),
  }
}

export function creationRequestBody(demand: DeliveryRequest, names: Names): object {
  const { orderId, displayId, merchant, pickup, dropoff } = demand
  return {
    orderId,
    ...compact({ orderDisplayId: displayId }),
    ...(usesDocumentNames(names)
      ? { merchant, pickup: placeBody(pickup), dropoff: placeBody(dropoff) }
      : {}),
    ...(usesStandardNames(names)
      ? {
          ...merchantIdOf(demand),
          ...standardRoute(demand),
          customer: dropoff.contact,
        }
      : {}),
  }
}

/** The operation of each call about a delivery. */
export const operationOfShipmentCall: Readonly<Record<ShipmentCall, OperationId>> = {
  'ready-for-pickup': 'setDeliveryReadyForPickup',
  collected: 'setDeliveryCollected',
  problem: 'reportDeliveryProblem',
  delivered: 'setDeliveryDelivered',
  cancel: 'cancelDelivery',
}

const defaultCallBody: Readonly<Record<ShipmentCall, object>> = {
  'ready-for-pickup': {},
  collected: {},
  problem: { problemCode: 'OTHER' },
  delivered: {},
  cancel: { cancellationCode: 'MERCHANT_REQUEST' },
}

/** The fields of the public standard that say when (fields.md, L6). */
const timeFields: Readonly<Partial<Record<ShipmentCall, string>>> = {
  collected: 'pickupDate',
  delivered: 'finishDate',
}

/** The body of a call for which the caller has none. */
export function shipmentCallBody(
  call: ShipmentCall,
  { progressBodies }: Pick<LogisticsConduct, 'progressBodies'>,
  now: Instant,
): object {
  const field = progressBodies === 'dated' ? timeFields[call] : undefined
  return { ...defaultCallBody[call], ...(field === undefined ? {} : { [field]: isoOf(now) }) }
}

/** A call to the platform of a shipment; the default platform has no number. */
export const shipmentCallIntent = (
  { role, orderId }: Pick<ShipmentRecord, 'role' | 'orderId'>,
  platform: number | undefined,
  operation: OperationId,
  body?: unknown,
): CallIntent => ({
  from: role,
  to: 'delivery-platform',
  operation,
  params: { orderId },
  attempt: 1,
  ...(platform ? { platform } : {}),
  ...compact({ body }),
})
