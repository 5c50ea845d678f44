/**
 * Bodies of an acknowledgment of polled events. The documents show none; these are the four that real partners use
 * (ORD-UND-09). `conduct.acknowledgment` may require the first.
 */
import { z } from 'zod'
import { isUnknownRecord } from '../unknown-record.ts'
import { parseV1EventType } from '../v1/events.ts'
import { looseObject } from '../../base/lazy-object.ts'

const id = z.string().min(1)
const maxIds = 2000

export const Acknowledgment = z.union([
  looseObject(() => ({ eventIds: z.array(id).max(maxIds) })),
  z.array(id).max(maxIds),
  z.array(looseObject(() => ({ id }))).max(maxIds),
  z.array(looseObject(() => ({ eventId: id }))).max(maxIds),
])
export type Acknowledgment = z.infer<typeof Acknowledgment>

/** The acknowledgment of V1 read strictly: all three fields are required (fields.md, O16). */
export const V1Acknowledgment = z
  .array(looseObject(() => ({ id, orderId: id, eventType: id })))
  .max(maxIds)

/** What an acknowledgment of V1 names of an event. */
interface AcknowledgedEvent {
  readonly eventId: string
  readonly orderId: string
  readonly eventType: string
}

/** Names of the four shapes, for the body that our client sends. */
export const acknowledgmentBodies = [
  'eventIds',
  'strings',
  'eventId-objects',
  'id-objects',
] as const
export type AcknowledgmentBody = (typeof acknowledgmentBodies)[number]

const bodyBuilders: Record<AcknowledgmentBody, (ids: readonly string[]) => unknown> = {
  eventIds: (eventIds) => ({ eventIds }),
  strings: (ids) => ids,
  'eventId-objects': (ids) => ids.map((eventId) => ({ eventId })),
  'id-objects': (ids) => ids.map((eventId) => ({ id: eventId })),
}

export const acknowledgmentBodyOf = (ids: readonly string[], body: AcknowledgmentBody): unknown =>
  bodyBuilders[body](ids)

/** A body that acknowledges this event at a host that takes V1’s shape, or any. */
export const acknowledgmentExample = (
  { eventId, orderId, eventType }: AcknowledgedEvent,
  acknowledgment: 'any' | 'eventIds' | 'v1',
): unknown =>
  acknowledgment === 'v1' ? [{ id: eventId, orderId, eventType }] : { eventIds: [eventId] }

/** The event ids of an acknowledgment of any shape. */
export function acknowledgedIds(body: Acknowledgment): readonly string[] {
  if (!Array.isArray(body)) return body.eventIds
  return body.map((entry) => {
    if (typeof entry === 'string') return entry
    // A client that sends whole events may have the id under one of the two names, and null under the other.
    const { eventId, id: plainId } = entry as Readonly<Record<string, unknown>>
    return String(typeof eventId === 'string' ? eventId : plainId)
  })
}

/** V1 has two names for one type. */
const typeNamed = (name: string): string => parseV1EventType(name) ?? name

/** An entry says nothing of it, or the same. */
const agrees = (named: unknown, own: string | undefined): boolean =>
  typeof named !== 'string' || own === undefined || typeNamed(named) === typeNamed(own)

/** `CONFIRMED of order 7b28…`, where an entry names another order or type than its event has (fields.md, O16). */
export function otherEventNamed(
  entry: unknown,
  event: { readonly orderId?: string | undefined; readonly eventType: string },
): string | undefined {
  if (!isUnknownRecord(entry)) return undefined
  const { orderId, eventType } = entry
  if (agrees(eventType, event.eventType) && agrees(orderId, event.orderId)) return undefined
  const type = typeof eventType === 'string' ? eventType : event.eventType
  const order = typeof orderId === 'string' ? orderId : (event.orderId ?? '')
  const ofOrder = order === '' ? 'an empty order id' : `order ${order.slice(0, 60)}`
  return `${type === '' ? 'an empty type' : type.slice(0, 60)} of ${ofOrder}`
}
