/**
 * A received Customer event: `{event: {…}}` as in the documents, or flat as implementations in the field send it
 * (fields.md C15). Both are read into one form.
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { DateTime, parseDateTime } from '../date-time.ts'
import { withKnownValues } from '../known-values.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { customerEventTypes, entityTypes } from './events.ts'
import { ExternalId, formatExternalId, CustomerIdentifier } from './identifier.ts'
import { looseObject } from '../../base/lazy-object.ts'

const id = z.string().min(1).max(200)

/** The envelope required by the documents (CUS-EVO-01 to 04). */
const Enveloped = looseObject(() => ({
  eventType: withKnownValues(id, customerEventTypes),
  entityType: z.enum(entityTypes),
  occurredAt: DateTime,
  payload: z.looseObject({}),
}))

/** The field's flat event, without an envelope. */
const Flat = looseObject(() => ({
  id: id.nullish(),
  eventType: withKnownValues(id, customerEventTypes),
  entityType: z.enum(entityTypes).nullish(),
  occurredAt: DateTime,
  customerIdentifier: CustomerIdentifier.nullish(),
  customerId: id.nullish(),
  orderId: id.nullish(),
  payload: z.looseObject({}).nullish(),
}))

/** Schema of an event body for the API documentation. */
export const DocumentedEvent = z.union([looseObject(() => ({ event: Enveloped })), Flat])

/** A received event in the normalised form. */
export interface ReceivedCustomerEvent {
  readonly eventType: string
  readonly occurredAt: string
  /** `occurredAt` in Unix milliseconds. */
  readonly at: number
  /** All fields of the envelope, including the id, whose field name is configurable. */
  readonly envelope: Readonly<Record<string, unknown>>
  readonly customerId?: string
  readonly identifier?: CustomerIdentifier
  readonly externalIds: readonly string[]
  readonly orderId?: string
  /** Id of a lead or a review. */
  readonly recordId?: string
  readonly payload: Readonly<Record<string, unknown>>
}

const textOf = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find((each): each is string => typeof each === 'string' && each !== '')

function toReceivedEvent(envelope: z.infer<typeof Flat>): ReceivedCustomerEvent {
  const { eventType, occurredAt, data } = envelope
  const payload = envelope.payload ?? (data as Record<string, unknown> | undefined) ?? {}
  const customerId = textOf(payload['customerId'], envelope.customerId)
  const orderId = textOf(payload['orderId'], envelope.orderId)
  const recordId = textOf(payload['leadId'], payload['reviewId'])
  const identifier = CustomerIdentifier.safeParse(
    envelope.customerIdentifier ?? payload['customerIdentifier'] ?? payload['identifier'],
  )
  const externalIds = z.array(ExternalId).safeParse(payload['externalIds'])
  return {
    eventType,
    occurredAt,
    at: parseDateTime(occurredAt) ?? 0,
    envelope,
    ...compact({ customerId }),
    ...(identifier.success ? { identifier: identifier.data } : {}),
    externalIds: externalIds.success ? externalIds.data.map(formatExternalId) : [],
    ...compact({ orderId, recordId }),
    payload,
  }
}

/** Reads an event body in either form. */
export const CustomerEvent = z.unknown().transform((body, context): ReceivedCustomerEvent => {
  const isFlat = isUnknownRecord(body) && !('event' in body) && 'eventType' in body
  const value = isFlat ? body : isUnknownRecord(body) ? body['event'] : undefined
  const parsed = isFlat ? Flat.safeParse(value) : Enveloped.safeParse(value)
  if (parsed.success) return toReceivedEvent(parsed.data)
  const path = isFlat ? [] : ['event']
  for (const issue of parsed.error.issues)
    context.issues.push({
      ...issue,
      input: body,
      path: [...path, ...issue.path],
    } as z.core.$ZodRawIssue)
  return z.NEVER
})

/** Deduplication key of an event: its id, else type, entity and time (CUS-UND-07). */
export function eventDeduplicationKey(
  event: ReceivedCustomerEvent,
  idField: string | false,
): string {
  const { envelope, eventType, customerId, orderId, recordId, identifier, occurredAt } = event
  const configuredId = textOf(
    idField === false ? undefined : envelope[idField],
    envelope['eventId'],
  )
  const eventId = configuredId ?? textOf(envelope['id'])
  if (eventId !== undefined) return eventId
  const entityKey = recordId ?? orderId ?? customerId ?? identifier?.value ?? ''
  return `${eventType}|${entityKey}|${occurredAt}`
}
