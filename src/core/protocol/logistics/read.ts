/**
 * Parses delivery messages of other parties under every known field name: events, GET replies, quotes, problem reports.
 * Unknown content is ignored, never refused.
 */
import { compact } from '../../base/compact.ts'
import type { OrderEventType } from '../orders/events.ts'
import { problemCodeFields, type ProblemReport } from './bodies.ts'
import { readDeliveryEventName } from './events.ts'
import { isDeliveryStatus } from './lifecycle.ts'
import { nonEmptyString } from './place.ts'
import type { DeliveryStatus } from './status.ts'

type Shape = Readonly<Record<string, unknown>>

const shapeOf = (value: unknown): Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : {}

const statusOf = (value: unknown): DeliveryStatus | undefined =>
  isDeliveryStatus(value) ? value : undefined

/** An update of a delivery. */
export interface DeliveryUpdate {
  readonly status?: DeliveryStatus
  readonly deliveryId?: string
  readonly informs?: OrderEventType
  readonly eta?: string
  readonly courier?: string
}

export interface ReadDeliveryEvent extends DeliveryUpdate {
  readonly orderId: string
  /** The event's id; composed from its content where the platform sends none. */
  readonly eventId: string
  readonly eventType: string
}

/** Maximum length in characters of a foreign event id that is stored. */
const maxIdLength = 200

/** Parses an event of any vocabulary, flat or nested in `event`. */
export function readDeliveryEvent(body: unknown): ReadDeliveryEvent {
  const shape = shapeOf(body)
  const event = shapeOf(shape['event'])
  const name =
    nonEmptyString(event['type']) ??
    nonEmptyString(shape['eventType']) ??
    nonEmptyString(shape['type']) ??
    ''
  const named = readDeliveryEventName(name)
  const status = statusOf(shape['status']) ?? statusOf(event['status']) ?? named?.status
  const at =
    nonEmptyString(event['datetime']) ??
    nonEmptyString(shape['occurredAt']) ??
    nonEmptyString(shape['createdAt'])
  const orderId = nonEmptyString(shape['orderId']) ?? ''
  const deliveryId = nonEmptyString(shape['deliveryId'])
  const courier = nonEmptyString(shapeOf(shape['deliveryPerson'] ?? shape['courier'])['name'])
  const eta =
    nonEmptyString(shapeOf(shape['eta'])['deliveryEtaDatetime']) ?? nonEmptyString(shape['eta'])
  return {
    orderId,
    eventType: name,
    eventId:
      nonEmptyString(shape['eventId'])?.slice(0, maxIdLength) ??
      [orderId, deliveryId ?? '', name, status ?? '', at ?? ''].join('/'),
    ...compact({ status }),
    ...(named?.informs ? { informs: named.informs } : {}),
    ...compact({ deliveryId, courier, eta }),
  }
}

/** The type of the last event in a list, as in the earlier edition's GET reply. */
function lastEventName(events: unknown): string {
  const last: unknown = Array.isArray(events) ? events.at(-1) : undefined
  return nonEmptyString(shapeOf(last)['type']) ?? ''
}

/** Parses a GET reply: the documents' record, or one without `status` whose last event gives the status. */
export function readDelivery(body: unknown): DeliveryUpdate | undefined {
  const shape = shapeOf(body)
  const status =
    statusOf(shape['status']) ?? readDeliveryEventName(lastEventName(shape['events']))?.status
  if (!status) return undefined
  const deliveryId = nonEmptyString(shape['id']) ?? nonEmptyString(shape['deliveryId'])
  const courier = nonEmptyString(shapeOf(shape['courier'] ?? shape['deliveryPerson'])['name'])
  const eta = nonEmptyString(shape['eta']) ?? nonEmptyString(shape['estimatedDeliveryAt'])
  return {
    status,
    ...compact({ deliveryId, courier, eta }),
  }
}

export interface ReadQuote {
  /** Undefined where the answer says nothing of it. */
  readonly available?: boolean
  readonly amount?: number
  readonly currency?: string
  readonly eta?: string
  readonly reason?: string
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/**
 * Parses the reply to an availability request. The earlier edition has no `available`: a quote means yes, and no is an
 * error reply (fields.md, L2).
 */
export function readAvailability(body: unknown): ReadQuote {
  const shape = shapeOf(body)
  const price = shapeOf(shape['price'])
  const fee = shapeOf(shape['deliveryFee'])
  const earlier = shapeOf(shapeOf(shape['deliveryPrice'])['price'])
  const cents = numberOf(fee['value'])
  const amount =
    numberOf(price['amount']) ??
    numberOf(earlier['value']) ??
    (cents === undefined ? undefined : cents / 100)
  const currency =
    nonEmptyString(price['currency']) ??
    nonEmptyString(earlier['currency']) ??
    nonEmptyString(fee['currency'])
  const eta =
    nonEmptyString(shape['eta']) ?? nonEmptyString(shapeOf(shape['ETAs'])['deliveryEtaDatetime'])
  const reason = nonEmptyString(shape['unavailableReason'])
  const stated = shape['available']
  const isSaid = amount !== undefined || reason !== undefined
  return {
    ...compact({
      available: typeof stated === 'boolean' ? stated : isSaid ? amount !== undefined : undefined,
      amount,
      currency,
      eta,
      reason,
    }),
  }
}

/** The code of a problem report, under any of its names. */
export const problemCode = (report: ProblemReport): string | undefined =>
  problemCodeFields.map((field) => report[field]).find((code) => code !== undefined)

/** Whether the report says that the delivery can be completed; undefined when it does not say. */
export function reportedRecoverable(report: ProblemReport): boolean | undefined {
  const { recoverable, canFinishDeliver, action } = report
  if (recoverable !== undefined) return recoverable
  if (canFinishDeliver !== undefined) return canFinishDeliver
  if (action === 'DELIVER_PRODUCT') return true
  return action === 'RETURN_TO_STORE' || action === 'CANCEL_DELIVERY' ? false : undefined
}
