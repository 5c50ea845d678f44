/** Requests that are refused although they are right. */
import { z } from 'zod'
import type { ErrorCode } from '../protocol/errors.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { Duration } from '../protocol/duration.ts'
import { oneWord, onOrOff } from '../protocol/setting.ts'
import { operation } from '../protocol/catalogue.ts'
import type { Distortion } from '../engine/faults/distortion.ts'

const statuses = [400, 403, 404, 409, 422] as const

const codes: Readonly<Record<(typeof statuses)[number], ErrorCode>> = {
  400: 'INVALID_PAYLOAD',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'UNPROCESSABLE',
}

/**
 * A request is refused for good: 4xx, `retryable` false (R9). A host does that by itself where it
 * applies; here it does not apply, so findings are advice.
 */
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

const retryNotations = ['seconds', 'date', 'absent'] as const

/**
 * A request is answered 429 and takes no effect (R4); Retry-After is in seconds, a date, or absent.
 */
export const rateLimit = defineFault({
  name: 'rate-limit',
  summary: 'a request is answered 429 and takes no effect',
  code: 'R4',
  meets: ['answer'],
  traits: ['failure', 'client-wide'],
  namesDate: ({ retry }) => retry === 'date',
  options: strictObject(() => ({
    retry: oneWord(retryNotations, 'seconds').describe('how Retry-After says when to come again'),
    by: Duration.default(2000).describe('when that is, from now; in whole seconds'),
  })),
  isRetried: true,
  vary: (chance) => ({ retry: chance.pick(retryNotations), by: chance.pick([1000, 5000, 30_000]) }),
  message: ({ retry, by }) => ({
    effect: false,
    reply: {
      status: 429,
      error: { code: 'RATE_LIMITED', message: 'too many requests for the moment' },
      ...(retry === 'seconds' ? { headers: { 'retry-after': String(Math.ceil(by / 1000)) } } : {}),
      ...(retry === 'date' ? { retryAtMs: by } : {}),
    },
  }),
})

/**
 * A request is answered 401 although its token is valid (R8). With `revoke` the tokens are really
 * revoked, and only a new one helps.
 */
export const unauthorized = defineFault({
  name: 'unauthorized',
  summary: 'a request is answered 401 although its token is valid',
  code: 'R8',
  meets: ['answer'],
  traits: ['failure', 'client-wide'],
  options: strictObject(() => ({
    revoke: onOrOff(false).describe(
      'all tokens of this client end now; without it the token would do the next time',
    ),
  })),
  vary: (chance) => ({ revoke: chance.oneIn(2) }),
  message({ revoke }, meeting) {
    const { access, webhook } = operation(meeting.operation)
    if (meeting.kind !== 'answer' || access === 'open') return undefined
    const { to: host, clientId } = meeting
    // A webhook may be signed alone.
    if (webhook && clientId === undefined) return undefined
    return {
      effect: false,
      reply: {
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        error: { code: 'UNAUTHORIZED', message: 'the token is unknown here' },
      },
      ...(revoke && clientId !== undefined
        ? { plans: [{ command: { kind: 'token.revoke', host, clientId }, afterMs: 0 }] }
        : {}),
    }
  },
})

const failures = ['fail', 'slow', 'hang'] as const

/**
 * The token endpoint fails, is slow, or never answers (R8): a client that needs a token has to wait
 * and recover.
 */
export const tokenOutage = defineFault({
  name: 'token-outage',
  summary: 'the token endpoint fails, is slow, or never answers',
  code: 'R8',
  meets: ['answer'],
  symptom: 'failing',
  traits: ['client-wide'],
  options: strictObject(() => ({
    how: oneWord(failures, 'fail').describe('it answers 503, it answers late, or never'),
    by: Duration.default(5000).describe('how late, where it is slow'),
  })),
  vary: (chance) => ({ how: chance.pick(failures), by: chance.pick([1000, 5000]) }),
  message({ how, by }, meeting): Distortion | undefined {
    if (operation(meeting.operation).handler.name !== 'token.issue') return undefined
    switch (how) {
      case 'fail':
        return {
          effect: false,
          reply: {
            status: 503,
            error: { code: 'UNAVAILABLE', message: 'no tokens for the moment' },
          },
        }
      case 'slow':
        return { effect: true, afterMs: by }
      case 'hang':
        return { effect: false, end: 'hang' }
      default:
        how satisfies never
        return undefined
    }
  },
})
