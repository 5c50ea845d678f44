import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonProblemText } from './issue-text.ts'
import { CustomerInput } from './customer/customer.ts'
import { CustomerEvent } from './customer/event.ts'
import { AnyLead } from './customer/lead.ts'
import { LoyaltyEventBody } from './loyalty/event.ts'
import { RedemptionRequest } from './loyalty/redemption.ts'
import { Acknowledgment } from './orders/acknowledgment.ts'

const Order = z.object({
  items: z.array(z.object({ quantity: z.int().min(1), unit: z.enum(['UN', 'KG']) })).min(1),
  note: z.string().max(3).optional(),
})

test.for<readonly [schema: z.ZodType, value: unknown, text: string]>([
  [Acknowledgment, {}, 'eventIds: expected an array, received nothing'],
  [Acknowledgment, { eventIds: 'a' }, 'eventIds: expected an array, received "a"'],
  [Acknowledgment, { eventIds: [1] }, 'eventIds.0: expected a string, received 1'],
  [Order, { items: [] }, 'items: expected at least 1 entry long, received an empty array'],
  [
    Order,
    { items: [{ quantity: 0.5, unit: 'UN' }] },
    'items.0.quantity: expected a whole number, received 0.5',
  ],
  [
    Order,
    { items: [{ quantity: 1, unit: 'LB' }] },
    'items.0.unit: expected UN or KG, received "LB"',
  ],
  [Order, [], 'its root: expected an object, received an empty array'],
  [Order, null, 'its root: expected an object, received null'],
  // All that is missing is named at once, and nothing that is optional or wrong.
  [
    Order,
    { items: [{}, { quantity: 1, unit: 'LB' }], note: 'long' },
    'items.0.quantity: expected a number, received nothing; missing too: items.0.unit',
  ],
  [
    Order,
    { items: [{ quantity: 0, unit: 'LB' }] },
    'items.0.quantity: expected at least 1, received 0',
  ],
  [
    RedemptionRequest,
    { customerId: 'ana' },
    'rewardId: expected a string, received nothing; missing too: accountId',
  ],
  [
    LoyaltyEventBody,
    { eventId: 7 },
    'eventId: expected a string, received 7; missing too: eventType, occurredAt',
  ],
  [
    CustomerEvent,
    { event: { entityType: 'customer' } },
    'event.eventType: expected a string, received nothing; missing too: event.occurredAt, event.payload',
  ],
  [
    AnyLead,
    { source: 'app' },
    'id: it is missing; a lead without a contact needs id, source and status; missing too: status',
  ],
  [
    CustomerInput,
    { id: 'c-1', name: 'Ana', contacts: {}, externalIds: [] },
    'identifier: it is missing; a customer without it needs id, externalIds, name, contacts, consent, createdAt, updatedAt, of which it lacks consent, createdAt, updatedAt',
  ],
])('%o', ([schema, value, text]) => {
  const parsed = schema.safeParse(value)
  expect(parsed.success ? 'it fits' : jsonProblemText(parsed.error, value)).toBe(text)
})
