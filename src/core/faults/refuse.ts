/**
 * A request is refused for good: 4xx, `retryable` false (R9). A host does that by itself where it applies; here it does
 * not apply, so findings are advice.
 */
import { z } from 'zod'
import type { ErrorCode } from '../protocol/errors.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'

const statuses = [400, 403, 404, 409, 422] as const

const codes: Readonly<Record<(typeof statuses)[number], ErrorCode>> = {
  400: 'INVALID_PAYLOAD',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'UNPROCESSABLE',
}

export const refuse = defineFault({
  name: 'refuse',
  summary: 'a request is refused permanently, without a reason',
  code: 'R9',
  meets: ['answer'],
  legal: false,
  options: strictObject(() => ({
    status: z
      .union(statuses.map((each) => z.literal(each)))
      .default(409)
      .describe('what it is answered'),
  })),
  vary: (chance) => ({ status: chance.pick(statuses) }),
  message: ({ status }) => ({
    effect: false,
    reply: { status, error: { code: codes[status], message: 'this is not possible now' } },
  }),
})
