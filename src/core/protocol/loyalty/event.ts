/**
 * A loyalty event on the wire: in the documents' wrapper, or flat as in the public standard (C15). Payload and type are
 * open: a receiver tolerates unknown ones (LOY-UND-06).
 */
import { z } from 'zod'
import { DateTime } from '../date-time.ts'
import { withKnownValues } from '../known-values.ts'
import { loyaltyEventTypes } from './events.ts'
import { looseObject } from '../../base/lazy-object.ts'
import { evenIfInvalid } from '../unknown-record.ts'

const id = z.string().min(1)

const fields = () => ({
  eventId: id.optional(),
  id: id.optional(),
  accountId: id.optional(),
  customerId: id.optional(),
  programId: id.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
})

const Inner = looseObject(() => ({
  eventType: withKnownValues(id, loyaltyEventTypes),
  occurredAt: DateTime,
  entityType: id.optional(),
  ...fields(),
}))

// Not a union of the two shapes, whose errors would not name the invalid field.
export const LoyaltyEventBody = looseObject(() => ({
  event: Inner.optional(),
  eventType: withKnownValues(id, loyaltyEventTypes).optional(),
  occurredAt: DateTime.optional(),
  ...fields(),
})).superRefine((body, context) => {
  if (body.event) return
  for (const field of ['eventType', 'occurredAt'] as const)
    if (body[field] === undefined)
      context.addIssue({
        code: 'custom',
        path: [field],
        message: 'is missing, here or in event',
      })
}, evenIfInvalid)
export type LoyaltyEventBody = z.infer<typeof LoyaltyEventBody>

/** A received event in the normalised form. */
export interface ReadLoyaltyEvent {
  /** Deduplication key: its id, else type, entity and time (CUS-UND-07). */
  readonly key: string
  readonly eventType: string
  readonly accountId?: string
  readonly customerId?: string
  readonly orderId?: string
}

export function readLoyaltyEvent(body: LoyaltyEventBody): ReadLoyaltyEvent {
  const event = body.event ?? body
  const { eventType = '', occurredAt = '', payload = {} } = event
  const text = (name: 'accountId' | 'customerId' | 'orderId' | 'relatedOrderId'): string => {
    const found = event[name] ?? payload[name]
    return typeof found === 'string' ? found : ''
  }
  const accountId = text('accountId')
  const customerId = text('customerId')
  const orderId = text('orderId') || text('relatedOrderId')
  const entityKey = accountId || customerId || JSON.stringify(payload)
  return {
    key: event.eventId ?? event.id ?? `${eventType} ${entityKey} ${occurredAt}`,
    eventType,
    ...(accountId === '' ? {} : { accountId }),
    ...(customerId === '' ? {} : { customerId }),
    ...(orderId === '' ? {} : { orderId }),
  }
}
