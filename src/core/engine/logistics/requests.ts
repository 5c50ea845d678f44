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
/** How bodies are written. */
type Form = Pick<LogisticsConduct, 'names' | 'publishedFields'>

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

const namedMerchant = ({ id, name }: DeliveryPlace): object => ({
  id: id ?? '',
  name: name ?? id ?? '',
})

const goodsBody = ({ goods }: DeliveryRequest): object => ({
  totalOrderPrice: goods?.price ?? { value: 0, currency: 'BRL' },
  totalWeight: goods?.weight ?? 0,
})

/** An address with what the public standard requires: a number may stand at the end of the street. */
function wholeAddress(place: DeliveryPlace): DeliveryPlace {
  const { street, number, neighborhood, district, ...rest } = inCountry(place)
  const [, name, behind] = /^(.*?),\s*(\d+\w?)$/.exec(nonEmptyString(street) ?? '') ?? []
  const address = {
    state: '',
    city: '',
    postalCode: '',
    complement: '',
    ...rest,
    neighborhood: neighborhood ?? district ?? '',
    street: name ?? street ?? '',
    number: nonEmptyString(number) ?? behind ?? 'S/N',
  }
  return { ...place, address }
}

const withWholeAddresses = (demand: DeliveryRequest): DeliveryRequest => ({
  ...demand,
  merchant: { ...demand.merchant, ...namedMerchant(demand.merchant) },
  pickup: wholeAddress(demand.pickup),
  dropoff: wholeAddress(demand.dropoff),
})

export function availabilityRequestBody(demand: DeliveryRequest, form: Form): object {
  const { orderId, merchant } = demand
  const { names, publishedFields } = form
  const { pickup, dropoff } = publishedFields ? withWholeAddresses(demand) : demand
  return {
    orderId,
    ...(publishedFields ? { merchant: namedMerchant(merchant), ...goodsBody(demand) } : {}),
    ...(usesDocumentNames(names) ? { pickup: placeBody(pickup), dropoff: placeBody(dropoff) } : {}),
    ...(usesStandardNames(names) ? { ...merchantIdOf(demand), ...standardRoute(demand) } : {}),
  }
}

export function creationRequestBody(demand: DeliveryRequest, form: Form): object {
  const { names, publishedFields } = form
  const { orderId, merchant, pickup, dropoff } = publishedFields
    ? withWholeAddresses(demand)
    : demand
  const displayId = demand.displayId ?? (publishedFields ? orderId : undefined)
  return {
    orderId,
    ...compact({ orderDisplayId: displayId }),
    ...(usesDocumentNames(names)
      ? { merchant, pickup: placeBody(pickup), dropoff: placeBody(dropoff) }
      : {}),
    ...(publishedFields
      ? { ...goodsBody(demand), payments: demand.goods?.payments ?? { method: 'ONLINE' } }
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
