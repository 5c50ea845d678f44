/** What a poll for order events may ask for: event types and merchants (ORD-UND-09; fields.md, O14). */
import { z } from 'zod'
import { orderEventTypes } from './events.ts'
import { plainObject } from '../../base/lazy-object.ts'

export const PollQuery = plainObject(() => ({
  eventType: z
    .array(z.enum(orderEventTypes))
    .optional()
    .describe(
      'Only events of these types, repeated or separated by commas. All others count as acknowledged.',
    ),
}))

export const PollHeaders = plainObject(() => ({
  'X-Polling-Merchants': z
    .string()
    .optional()
    .describe('Only events of these merchants: ids separated by commas, 100 at most.'),
}))
