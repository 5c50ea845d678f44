/**
 * A delivery and a quote as wire documents, with the courier's current position. Optional fields are included unless
 * the session withholds them (LOG-FLD-05 to 08).
 */
import { compact } from '../../base/compact.ts'
import type { Availability, Delivery } from '../../protocol/logistics/bodies.ts'
import type { LogisticsConduct } from '../../protocol/logistics/conduct.ts'
import { deliveryEventOfStatus } from '../../protocol/logistics/events.ts'
import { isFinalDeliveryStatus } from '../../protocol/logistics/lifecycle.ts'
import {
  type DeliveryPlace,
  type GeoPosition,
  nonEmptyString,
  positionOf,
} from '../../protocol/logistics/place.ts'
import { operation } from '../../protocol/catalogue.ts'
import { urlInDialect } from '../../protocol/dialects/paths.ts'
import type { Settings } from '../settings.ts'
import { type Instant, isoOf } from '../instant.ts'
import { type DeliveryRecord, type Quote, statusReachedAt } from './delivery.ts'
import { metresBetween, positionAt } from './geometry.ts'
import { rideMs } from './quote.ts'

export interface DeliveryViewOptions {
  readonly now: Instant
  readonly conduct: LogisticsConduct
  /** The URL at which the platform serves a delivery, if known. */
  readonly urlOf?: (orderId: string) => string
}

/** Estimated time of delivery as of now; undefined when the delivery ended without one. */
export function deliveryEta(
  record: DeliveryRecord,
  { now, conduct }: DeliveryViewOptions,
): Instant | undefined {
  const { status, leg, quote, courier, way } = record
  const promised = (way[0]?.at ?? now) + quote.durationMs
  const speed = courier?.kmPerHour ?? conduct.kmPerHour
  switch (status) {
    case 'PENDING':
      return Math.max(now, promised)
    case 'ASSIGNED': {
      const atStore = leg ? leg.startedAt + leg.durationMs : now
      return Math.max(now, atStore) + rideMs(quote.metres, speed, conduct.pace)
    }
    case 'IN_TRANSIT':
      return Math.max(now, leg ? leg.startedAt + leg.durationMs : promised)
    case 'DELIVERED':
      return statusReachedAt(record, 'DELIVERED')
    default:
      return undefined
  }
}

/** Estimated or actual time of pickup, as of now. */
export function pickupEta(
  record: DeliveryRecord,
  options: DeliveryViewOptions,
): Instant | undefined {
  const collected = statusReachedAt(record, 'IN_TRANSIT')
  const eta = deliveryEta(record, options)
  if (collected !== undefined || eta === undefined) return collected
  const speed = record.courier?.kmPerHour ?? options.conduct.kmPerHour
  return Math.max(options.now, eta - rideMs(record.quote.metres, speed, options.conduct.pace))
}

export const courierPosition = ({ leg }: DeliveryRecord, now: Instant): GeoPosition | undefined =>
  leg && positionAt(leg, now)

function trackingUrl(
  { orderId }: DeliveryRecord,
  { urlOf, conduct }: DeliveryViewOptions,
): string | undefined {
  const id = encodeURIComponent(orderId)
  if (conduct.trackingUrl !== undefined) return conduct.trackingUrl.replaceAll('{orderId}', id)
  return urlOf?.(orderId)
}

/** The same for a platform with this base URL, in the dialect in force. */
export const deliveryUrlsAt =
  (base: string, { conduct }: Settings) =>
  (orderId: string): string =>
    urlInDialect(operation('getDelivery'), { role: 'delivery-platform', base }, conduct, {
      orderId,
    })

const metresTo = (place: DeliveryPlace, from: GeoPosition): number | undefined => {
  const coordinates = positionOf(place)
  return coordinates && Math.round(metresBetween(from, coordinates))
}

function courierView(record: DeliveryRecord, options: DeliveryViewOptions): Delivery['courier'] {
  const { courier, pickup, dropoff } = record
  if (!courier) return undefined
  const { name, phone, vehicle } = courier
  const position = courierPosition(record, options.now)
  const url = trackingUrl(record, options)
  const [toPickup, toDropoff] = position
    ? [metresTo(pickup, position), metresTo(dropoff, position)]
    : []
  return {
    name,
    phone,
    vehicle,
    ...(position
      ? {
          tracking: {
            ...position,
            updatedAt: isoOf(options.now),
            ...compact({ metresToPickup: toPickup, metresToDropoff: toDropoff }),
          },
        }
      : {}),
    ...(options.conduct.names === 'documents'
      ? {}
      : { vehicleType: vehicle, ...compact({ trackingUrl: url }) }),
  }
}

/** Minor units as the decimal on the wire. */
export const minorToDecimal = (minor: number): number => minor / 100

/** The public standard's additional fields (fields.md, L5). */
function standardFields(record: DeliveryRecord, eta: Instant | undefined): object {
  const pickedUpAt = statusReachedAt(record, 'IN_TRANSIT')
  const deliveredAt = statusReachedAt(record, 'DELIVERED')
  return {
    deliveryId: record.id,
    ...(eta === undefined ? {} : { estimatedDeliveryAt: isoOf(eta) }),
    ...(pickedUpAt === undefined ? {} : { pickedUpAt: isoOf(pickedUpAt) }),
    ...(deliveredAt === undefined ? {} : { deliveredAt: isoOf(deliveredAt) }),
  }
}

/** What the answer of the public standard has besides, its history among it. */
function publishedView(
  { id, orderId, displayId, status, merchant, dropoff, courier, problems, way }: DeliveryRecord,
  shown: Delivery['courier'],
  eta: Instant | undefined,
): object {
  const finishedAt = way.find((each) => isFinalDeliveryStatus(each.status))?.at
  const person = courier && shown ? { courier: { id: courier.id, ...shown } } : {}
  return {
    orderDisplayId: displayId ?? orderId,
    merchant: { ...merchant, id: merchant.id ?? '', name: merchant.name ?? merchant.id ?? '' },
    customerName: nonEmptyString(dropoff.contact['name']) ?? `Pedido ${displayId ?? id}`,
    events: way.map((each) => ({
      type: deliveryEventOfStatus[each.status],
      datetime: isoOf(each.at),
    })),
    problems: problems.map((each) => ({ ...each, resolved: status === 'DELIVERED' })),
    ...person,
    ...(eta === undefined
      ? {}
      : {
          times: {
            maxDeliveryTime: isoOf(eta),
            isDeliveryFinished: finishedAt !== undefined,
            ...(finishedAt === undefined ? {} : { deliveryFinishDate: isoOf(finishedAt) }),
          },
        }),
  }
}

const minutesUntil = (at: Instant, now: Instant): number =>
  Math.max(0, Math.ceil((at - now) / 60_000))

export function deliveryView(record: DeliveryRecord, options: DeliveryViewOptions): Delivery {
  const { id, orderId, status, merchant, pickup, dropoff, quote, problems } = record
  const { withheldFields, names, publishedFields } = options.conduct
  const shows = (field: (typeof withheldFields)[number]): boolean => !withheldFields.includes(field)
  const eta = deliveryEta(record, options)
  const url = trackingUrl(record, options)
  const courier = courierView(record, options)
  return {
    id,
    orderId,
    status,
    merchant,
    pickup,
    dropoff,
    ...(shows('courier') && courier ? { courier } : {}),
    ...(shows('price')
      ? { price: { amount: minorToDecimal(quote.fee), currency: quote.currency } }
      : {}),
    ...(shows('eta') && eta !== undefined ? { eta: isoOf(eta) } : {}),
    ...(shows('trackingUrl') && url !== undefined ? { trackingUrl: url } : {}),
    problems: [...problems],
    ...compact({ statusReason: record.because }),
    ...(names === 'documents' ? {} : standardFields(record, shows('eta') ? eta : undefined)),
    ...(publishedFields ? publishedView(record, courier, shows('eta') ? eta : undefined) : {}),
  }
}

/** A quote’s times in the public standard: the courier is at the store when no more than the ride is left. */
function publishedEtas(
  { durationMs, metres }: Quote,
  { now, conduct: { kmPerHour, pace } }: DeliveryViewOptions,
): object {
  const pickup = now + Math.max(0, durationMs - rideMs(metres, kmPerHour, pace))
  const delivery = now + durationMs
  return {
    updateMethod: 'OFFLINE',
    pickupEtaInMinutes: minutesUntil(pickup, now),
    pickupEtaDatetime: isoOf(pickup),
    deliveryEtaInMinutes: minutesUntil(delivery, now),
    maxDeliveryTime: isoOf(delivery),
  }
}

/** The reply to an availability request (LOG-FLD-09). */
export function availabilityView(
  quote: Quote,
  { now, conduct }: DeliveryViewOptions,
): Availability {
  const { quoteId, available, fee, currency, durationMs, because } = quote
  if (!available) return { available, ...compact({ unavailableReason: because }) }
  return {
    available,
    quoteId,
    ...(conduct.names === 'standard'
      ? {}
      : { price: { amount: minorToDecimal(fee), currency }, eta: isoOf(now + durationMs) }),
    ...(conduct.names === 'documents'
      ? {}
      : {
          deliveryFee: { value: fee, currency },
          estimatedDeliveryMinutes: Math.max(1, Math.ceil(durationMs / 60_000)),
        }),
    ...(conduct.publishedFields ? { ETAs: publishedEtas(quote, { now, conduct }) } : {}),
  }
}
