/**
 * An event as it comes: `{event: {…}}` as the documents have it, or flat as the field sends it (fields.md C15). Both are
 * read into one form.
 */
import { z } from 'zod'
import { DateTime, parseDateTime } from '../date-time.ts'
import { isGroup } from '../group.ts'
import { entityTypes } from './events.ts'
import { ExternalId, externalText, Identifier } from './identifier.ts'

const id = z.string().min(1).max(200)

/** What the documents require (CUS-EVO-01 to 04). */
const Enveloped = z.looseObject({
  eventType: id,
  entityType: z.enum(entityTypes),
  occurredAt: DateTime,
  payload: z.looseObject({}),
})

/** The field's event, which stands without an envelope. */
const Flat = z.looseObject({
  id: id.nullish(),
  eventType: id,
  entityType: z.enum(entityTypes).nullish(),
  occurredAt: DateTime,
  customerIdentifier: Identifier.nullish(),
  customerId: id.nullish(),
  orderId: id.nullish(),
  payload: z.looseObject({}).nullish(),
})

/** The body of an event, as it is documented. */
export const ShownEvent = z.union([z.looseObject({ event: Enveloped }), Flat])

/** An event that somebody heard of. */
export interface HeardEvent {
  readonly eventType: string
  readonly occurredAt: string
  /** The same, in milliseconds since 1970. */
  readonly at: number
  /** Every field of the envelope, among them its id under whatever name. */
  readonly envelope: Readonly<Record<string, unknown>>
  readonly customerId?: string
  readonly identifier?: Identifier
  readonly externalIds: readonly string[]
  readonly orderId?: string
  /** A lead or a review. */
  readonly recordId?: string
  readonly payload: Readonly<Record<string, unknown>>
}

const textOf = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find((each): each is string => typeof each === 'string' && each !== '')

function heard(envelope: z.infer<typeof Flat>): HeardEvent {
  const { eventType, occurredAt, data } = envelope
  const payload = envelope.payload ?? (data as Record<string, unknown> | undefined) ?? {}
  const customerId = textOf(payload['customerId'], envelope.customerId)
  const orderId = textOf(payload['orderId'], envelope.orderId)
  const recordId = textOf(payload['leadId'], payload['reviewId'])
  const identifier = Identifier.safeParse(
    envelope.customerIdentifier ?? payload['customerIdentifier'] ?? payload['identifier'],
  )
  const externalIds = z.array(ExternalId).safeParse(payload['externalIds'])
  return {
    eventType,
    occurredAt,
    at: parseDateTime(occurredAt) ?? 0,
    envelope,
    ...(customerId === undefined ? {} : { customerId }),
    ...(identifier.success ? { identifier: identifier.data } : {}),
    externalIds: externalIds.success ? externalIds.data.map(externalText) : [],
    ...(orderId === undefined ? {} : { orderId }),
    ...(recordId === undefined ? {} : { recordId }),
    payload,
  }
}

/** The body of an event, in either form. */
export const CustomerEvent = z.unknown().transform((body, context): HeardEvent => {
  const isFlat = isGroup(body) && !('event' in body) && 'eventType' in body
  const value = isFlat ? body : isGroup(body) ? body['event'] : undefined
  const parsed = isFlat ? Flat.safeParse(value) : Enveloped.safeParse(value)
  if (parsed.success) return heard(parsed.data)
  const path = isFlat ? [] : ['event']
  for (const issue of parsed.error.issues)
    context.issues.push({
      code: 'custom',
      input: body,
      path: [...path, ...issue.path],
      message: issue.message,
    })
  return z.NEVER
})

/** What tells one event from another: its id, or what it says of what and when (CUS-UND-07). */
export function eventKey(event: HeardEvent, idField: string | false): string {
  const { envelope, eventType, customerId, orderId, recordId, identifier, occurredAt } = event
  const own = textOf(idField === false ? undefined : envelope[idField], envelope['eventId'])
  const known = own ?? textOf(envelope['id'])
  if (known !== undefined) return known
  const about = recordId ?? orderId ?? customerId ?? identifier?.value ?? ''
  return `${eventType}|${about}|${occurredAt}`
}
