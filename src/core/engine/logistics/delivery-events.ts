/**
 * Builds the delivery event for the consumer that created the delivery: sent by webhook in push mode, not at all in pull
 * mode, where only GET is available (LOG-EVT-02). Every event carries the order's id (LOG-EVT-03).
 */
import { compact } from '../../base/compact.ts'
import { deliveryEventName, type DeliveryEventType } from '../../protocol/logistics/events.ts'
import { nonEmptyString } from '../../protocol/logistics/place.ts'
import type { DecisionContext } from '../decision.ts'
import { isoOf } from '../instant.ts'
import type { DeliveryRecord, Vehicle } from './delivery.ts'
import type { Fact } from '../fact.ts'
import { newEventId } from '../event-id.ts'
import { courierPosition, deliveryEta, minorToDecimal, pickupEta } from './view.ts'

/** Optional details of an event. */
interface DeliveryEventNote {
  readonly message?: string
  /** The reason why the platform rejected the delivery. */
  readonly rejection?: string
}

/** The public standard's vehicle types; it has none for walking. */
const vehicleTypes: Readonly<Record<Vehicle, string | undefined>> = {
  MOTORCYCLE: 'MOTORBIKE_BAG',
  BICYCLE: 'BICYCLE',
  CAR: 'CAR',
  WALKING: undefined,
}

function etaBody(record: DeliveryRecord, { now, settings }: DecisionContext): object {
  const options = { now, conduct: settings.conduct.logistics }
  const delivery = deliveryEta(record, options)
  const pickup = pickupEta(record, options)
  if (delivery === undefined || pickup === undefined) return {}
  const minutes = (until: number): number => Math.max(0, Math.ceil((until - now) / 60_000))
  const promised = (record.way[0]?.at ?? now) + record.quote.durationMs
  return {
    eta: {
      updateMethod: 'ONLINE',
      pickupEtaInMinutes: minutes(pickup),
      pickupEtaDatetime: isoOf(pickup),
      deliveryEtaInMinutes: minutes(delivery),
      deliveryEtaDatetime: isoOf(delivery),
      maxDeliveryTime: isoOf(Math.max(delivery, promised)),
    },
  }
}

function courierBody({ courier }: DeliveryRecord): object {
  if (!courier) return {}
  const { id, name, phone, vehicle } = courier
  const type = vehicleTypes[vehicle]
  return {
    deliveryPerson: { id, name, phone },
    ...(type === undefined ? {} : { vehicle: { type, container: 'NORMAL' } }),
  }
}

function problemsBody({ problems }: DeliveryRecord): object {
  if (problems.length === 0) return {}
  return {
    problem: problems.map(({ code, description, occurredAt, recoverable }) => ({
      reason: code,
      ...compact({ message: description }),
      datetime: occurredAt,
      canFinishDeliver: recoverable !== false,
      needMerchantAction: false,
    })),
  }
}

/** The public standard's event body, as far as its fields are known (fields.md, L11). */
function fullBody(
  record: DeliveryRecord,
  type: string,
  { message, rejection }: DeliveryEventNote,
  context: DecisionContext,
): object {
  const { merchant, dropoff, quote, orderId } = record
  const position = courierPosition(record, context.now)
  return {
    orderDisplayId: record.displayId ?? orderId.slice(-6),
    merchant: {
      ...compact({ id: merchant.id }),
      name:
        nonEmptyString(merchant.name) ??
        nonEmptyString(merchant.contact['name']) ??
        merchant.id ??
        '',
    },
    event: {
      type,
      datetime: isoOf(context.now),
      ...compact({ message }),
      ...(rejection === undefined ? {} : { rejectionInfo: { reason: rejection } }),
    },
    customerName: nonEmptyString(dropoff.contact['name']) ?? '',
    deliveryPrice: {
      price: { value: minorToDecimal(quote.fee), currency: quote.currency },
      pricingList: 'NORMAL',
      additionalPricePercentual: 0,
    },
    ...problemsBody(record),
    ...etaBody(record, context),
    ...courierBody(record),
    ...compact({ geoLocalization: position }),
  }
}

/**
 * The fact of an event; none in pull mode, for a type without a name in the vocabulary, or when the consumer hosts no
 * webhook.
 */
export function deliveryEventFacts(
  record: DeliveryRecord,
  type: DeliveryEventType,
  context: DecisionContext,
  note: DeliveryEventNote = {},
): readonly Fact[] {
  const { settings, now, chance } = context
  const { eventNames, eventPayload } = settings.conduct.logistics
  const { id, orderId, status, consumer, merchant } = record
  const eventType = deliveryEventName(type, eventNames)
  const isHosted = consumer === 'ordering-application' || consumer === 'software-service'
  if (settings.trackingMode !== 'push' || eventType === undefined || !isHosted) return []
  const eventId = newEventId(chance('logistics.events'))
  const plainBody = { eventId, eventType, orderId, deliveryId: id, status, occurredAt: isoOf(now) }
  return [
    {
      kind: 'event.announced',
      event: {
        eventId,
        eventType,
        from: 'delivery-platform',
        to: consumer,
        operation: 'receiveDeliveryEvent',
        entityId: orderId,
        orderId,
        ...compact({ merchantId: merchant.id }),
        body:
          eventPayload === 'plain'
            ? plainBody
            : { ...plainBody, ...fullBody(record, eventType, note, context) },
      },
    },
  ]
}
