/**
 * Bodies of an acknowledgment of polled events. The documents show none; these are the four that real partners use
 * (ORD-UND-09). `conduct.acknowledgment` may require the first.
 */
import { z } from 'zod'
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
