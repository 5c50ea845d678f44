/** Query parameters of V1. */
import { z } from 'zod'
import { v1EventTypes } from './events.ts'
import { plainObject } from '../../base/lazy-object.ts'

export const V1PollQuery = plainObject(() => ({
  eventType: z
    .array(z.enum(v1EventTypes))
    .optional()
    .describe(
      'Only events of these types, repeated or separated by commas. All others count as acknowledged.',
    ),
}))
