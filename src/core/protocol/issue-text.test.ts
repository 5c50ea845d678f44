import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonProblemText } from './issue-text.ts'
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
])('%o', ([schema, value, text]) => {
  const parsed = schema.safeParse(value)
  expect(parsed.success ? 'it fits' : jsonProblemText(parsed.error, value)).toBe(text)
})
