/**
 * One loyalty event, as a webhook carries it: in the documents' wrapper, or flat as the public standard has it (C15).
 * Its payload is open, and so is its type: a receiver tolerates what it does not know (LOY-UND-06).
 */
import { z } from 'zod'
import { DateTime } from '../date-time.ts'

const id = z.string().min(1)

const fields = {
  eventId: id.optional(),
  id: id.optional(),
  accountId: id.optional(),
  customerId: id.optional(),
  programId: id.optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
} as const

const Inner = z.looseObject({
  eventType: id,
  occurredAt: DateTime,
  entityType: id.optional(),
  ...fields,
})

// Not a union of the two shapes: that could not say which field is wrong.
export const LoyaltyEventBody = z
  .looseObject({
    event: Inner.optional(),
    eventType: id.optional(),
    occurredAt: DateTime.optional(),
    ...fields,
  })
  .superRefine((body, context) => {
    if (body.event) return
    for (const field of ['eventType', 'occurredAt'] as const)
      if (body[field] === undefined)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: 'is missing, here or in event',
        })
  })
export type LoyaltyEventBody = z.infer<typeof LoyaltyEventBody>

/** What a receiver needs of an event, whatever shape it came in. */
export interface ReadLoyaltyEvent {
  /** Its id; without one, what makes it the same event: type, subject and time (CUS-UND-07). */
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
  const about = accountId || customerId || JSON.stringify(payload)
  return {
    key: event.eventId ?? event.id ?? `${eventType} ${about} ${occurredAt}`,
    eventType,
    ...(accountId === '' ? {} : { accountId }),
    ...(customerId === '' ? {} : { customerId }),
    ...(orderId === '' ? {} : { orderId }),
  }
}
