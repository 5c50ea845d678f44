/**
 * Reading what somebody else says of a delivery, under whatever names they say it: an event's identity and news, the
 * news in a GET answer, a problem report. What nobody can make sense of is left out, never refused.
 */
import type { OrderEventType } from '../orders/events.ts'
import { problemCodeFields, type ProblemReport } from './bodies.ts'
import { readEventName } from './events.ts'
import { isDeliveryStatus } from './lifecycle.ts'
import { textOf } from './place.ts'
import type { DeliveryStatus } from './status.ts'

type Shape = Readonly<Record<string, unknown>>

const shapeOf = (value: unknown): Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : {}

const statusOf = (value: unknown): DeliveryStatus | undefined =>
  isDeliveryStatus(value) ? value : undefined

/** What is new about a delivery. */
export interface DeliveryNews {
  readonly status?: DeliveryStatus
  readonly deliveryId?: string
  readonly informs?: OrderEventType
  readonly eta?: string
  readonly courier?: string
}

export interface HeardEvent extends DeliveryNews {
  readonly orderId: string
  /** The event's id, or what stands for it where a platform gives its events none. */
  readonly eventId: string
  readonly eventType: string
}

/** As much of a stranger's id as is remembered. */
const mostIdLength = 200

/** An event of any vocabulary, flat or with its news in `event`. */
export function readDeliveryEvent(body: unknown): HeardEvent {
  const shape = shapeOf(body)
  const event = shapeOf(shape['event'])
  const name = textOf(event['type']) ?? textOf(shape['eventType']) ?? textOf(shape['type']) ?? ''
  const told = readEventName(name)
  const status = statusOf(shape['status']) ?? statusOf(event['status']) ?? told?.status
  const at = textOf(event['datetime']) ?? textOf(shape['occurredAt']) ?? textOf(shape['createdAt'])
  const orderId = textOf(shape['orderId']) ?? ''
  const deliveryId = textOf(shape['deliveryId'])
  const courier = textOf(shapeOf(shape['deliveryPerson'] ?? shape['courier'])['name'])
  const eta = textOf(shapeOf(shape['eta'])['deliveryEtaDatetime']) ?? textOf(shape['eta'])
  return {
    orderId,
    eventType: name,
    eventId:
      textOf(shape['eventId'])?.slice(0, mostIdLength) ??
      [orderId, deliveryId ?? '', name, status ?? '', at ?? ''].join('/'),
    ...(status ? { status } : {}),
    ...(told?.informs ? { informs: told.informs } : {}),
    ...(deliveryId === undefined ? {} : { deliveryId }),
    ...(courier === undefined ? {} : { courier }),
    ...(eta === undefined ? {} : { eta }),
  }
}

/** The newest of a list of events, as the earlier edition's GET answer has one. */
function lastEventName(events: unknown): string {
  const last: unknown = Array.isArray(events) ? events.at(-1) : undefined
  return textOf(shapeOf(last)['type']) ?? ''
}

/** The answer to GET: the documents' record, or one without `status` whose events say what is so. */
export function readDelivery(body: unknown): DeliveryNews | undefined {
  const shape = shapeOf(body)
  const status = statusOf(shape['status']) ?? readEventName(lastEventName(shape['events']))?.status
  if (!status) return undefined
  const deliveryId = textOf(shape['id']) ?? textOf(shape['deliveryId'])
  const courier = textOf(shapeOf(shape['courier'] ?? shape['deliveryPerson'])['name'])
  const eta = textOf(shape['eta']) ?? textOf(shape['estimatedDeliveryAt'])
  return {
    status,
    ...(deliveryId === undefined ? {} : { deliveryId }),
    ...(courier === undefined ? {} : { courier }),
    ...(eta === undefined ? {} : { eta }),
  }
}

export interface QuoteRead {
  readonly available: boolean
  readonly amount?: number
  readonly currency?: string
  readonly eta?: string
  readonly reason?: string
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/**
 * The answer to an availability question. A platform of the earlier edition has no `available`: its quote says yes, and
 * its no is an error (fields.md, L2).
 */
export function readAvailability(body: unknown): QuoteRead {
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
    textOf(price['currency']) ?? textOf(earlier['currency']) ?? textOf(fee['currency'])
  const eta = textOf(shape['eta']) ?? textOf(shapeOf(shape['ETAs'])['deliveryEtaDatetime'])
  const reason = textOf(shape['unavailableReason'])
  const said = shape['available']
  return {
    available: typeof said === 'boolean' ? said : amount !== undefined,
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(eta === undefined ? {} : { eta }),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** The code of a problem report, under whichever of its names it came. */
export const problemCode = (report: ProblemReport): string | undefined =>
  problemCodeFields.map((field) => report[field]).find((code) => code !== undefined)

/** What the reporter says about the rest of the way; undefined when nothing. */
export function saidRecoverable(report: ProblemReport): boolean | undefined {
  const { recoverable, canFinishDeliver, action } = report
  if (recoverable !== undefined) return recoverable
  if (canFinishDeliver !== undefined) return canFinishDeliver
  if (action === 'DELIVER_PRODUCT') return true
  return action === 'RETURN_TO_STORE' || action === 'CANCEL_DELIVERY' ? false : undefined
}
