/** Checks of requests and replies as such: TRN-CON, TRN-HDR, TRN-ERB, TRN-GEN. */
import { roles } from '../../../protocol/role.ts'
import { defineChecks, type Assertion } from '../check.ts'
import { callsOf, type Deviation, each, every, observation, where } from '../assertion.ts'
import { emittedEvents, type Observed } from '../trace.ts'
import { hasErrorBody, hasErrorObject } from './error-body.ts'
import { attemptsAfter, callsDuring } from './client-retries.ts'
import { replies } from './statuses.ts'

const hasBody = (text: string | undefined): boolean => text !== undefined && text !== ''

const callsWithBody = where(callsOf(), ({ exchange }) => hasBody(exchange.request.body))
const repliesWithBody = where(replies, ({ exchange }) => hasBody(exchange.reply?.body))
const errorReplies = where(
  replies,
  ({ status, operation: id, exchange }) =>
    status >= 400 && id !== undefined && exchange.request.method !== 'HEAD',
)

const isJsonType = (type: string | undefined): boolean =>
  /^application\/([\w.-]+\+)?json\b/i.test(type ?? '')

function bodyIsJson({ request, exchange, operation: id }: Observed): Deviation {
  return request === undefined && id !== 'issueToken'
    ? `the body of its ${id ?? exchange.request.method} is no JSON`
    : undefined
}

const replyIsJson = ({ reply, status, operation: id }: Observed): Deviation =>
  reply === undefined ? `the body of its ${status} to ${id ?? 'a request'} is no JSON` : undefined

function requestIsTyped(observed: Observed): Deviation {
  const type = observed.requestHeader('content-type')
  if (isJsonType(type)) return undefined
  return observed.operation === 'issueToken' && /x-www-form-urlencoded/i.test(type ?? '')
    ? undefined
    : `its ${observed.operation ?? 'request'} has the Content-Type ${type ?? '(none)'}`
}

function replyIsTyped(observed: Observed): Deviation {
  const type = observed.replyHeader('content-type')
  return isJsonType(type)
    ? undefined
    : `its ${observed.status} to ${observed.operation ?? 'a request'} has the Content-Type ${type ?? '(none)'}`
}

const isOlderHttp = ({ exchange, isCall }: Observed): Deviation =>
  (isCall ? exchange.request : exchange.reply)?.wire?.version === '1.0'
    ? 'it speaks HTTP/1.0'
    : undefined

/** A retried call has the same X-Request-Id. */
const retriesShareId: Assertion = function* (trace) {
  const calls = callsDuring(trace, 'unavailable')
  for (const { all } of attemptsAfter(calls, ({ status }) => status === 503)) {
    const ids = new Set(all.map((call) => call.requestHeader('x-request-id')))
    if (all.length > 1)
      yield observation(
        all.slice(0, 3),
        ids.size > 1 && `it repeats ${all[0]?.operation} with another X-Request-Id`,
      )
  }
  // A poll, a read or an acknowledgment of other events is a call of its own.
  for (const name of ['revoked-token', 'revoked-on-retry'])
    for (const { failed, next } of attemptsAfter(
      callsDuring(trace, name),
      ({ status, exchange }) => status === 401 && exchange.request.method !== 'GET',
    )) {
      const last = failed.at(-1)
      if (last && next && last.exchange.request.body === next.exchange.request.body)
        yield observation(
          [last, next],
          last.requestHeader('x-request-id') !== next.requestHeader('x-request-id') &&
            `it makes ${next.operation} again after 401 with another X-Request-Id`,
        )
    }
}

/** An event has the same id in each attempt: its receiver knows it by that. */
const retriesShareEventId: Assertion = function* (trace) {
  for (const name of ['unavailable', 'revoked-token'])
    for (const { all } of attemptsAfter(
      callsDuring(trace, name),
      ({ status }) => status === 503 || status === 401,
    )) {
      const ids = new Set(emittedEvents(all).map(({ eventId }) => eventId))
      if (ids.size > 0 && all.length > 1)
        yield observation(
          all.slice(0, 3),
          ids.size > 1 &&
            `it repeats ${all[0]?.operation} under the same X-Request-Id with another eventId`,
        )
    }
}

export const messageChecks = defineChecks(
  { roles, procedures: ['introduction', 'activity'] },
  {
    'TRN-ERB-01': {
      // That no call is repeated which was refused for good is judged by a rule.
      procedures: ['introduction', 'broken-requests', 'troubled-orders'],
      assertion: each(
        where(errorReplies, ({ reply }) => hasErrorObject(reply) === undefined),
        hasErrorBody,
      ),
      remedy:
        'Write code and message as texts and retryable as true or false into the error object.',
    },
    'TRN-ERB-02': {
      procedures: ['introduction', 'broken-requests'],
      assertion: each(errorReplies, ({ reply, status, operation: id }) => {
        const problem = hasErrorObject(reply)
        return problem && `its ${status} to ${id} has no error object`
      }),
      remedy: 'Send the object error with every 4xx and 5xx.',
    },
    'TRN-CON-01': {
      assertion: every(each(callsOf(), isOlderHttp), each(replies, isOlderHttp)),
      remedy: 'Speak HTTP/1.1 or higher.',
    },
    'TRN-CON-03': {
      assertion: every(each(callsWithBody, bodyIsJson), each(repliesWithBody, replyIsJson)),
      remedy: 'Send JSON in every body.',
    },
    'TRN-HDR-02 TRN-GEN-01': {
      assertion: every(each(callsWithBody, requestIsTyped), each(repliesWithBody, replyIsTyped)),
      remedy: 'Send Content-Type application/json with every body.',
    },
    'TRN-HDR-03 DIS-WKN-02': {
      level: 'SHOULD',
      assertion: each(
        callsOf(),
        (call) =>
          !/application\/json|application\/\*|\*\/\*/i.test(call.requestHeader('accept') ?? '') &&
          `its ${call.operation ?? 'request'} has no Accept of application/json`,
      ),
      remedy: 'Send Accept: application/json with every request.',
    },
    'TRN-HDR-04': {
      level: 'SHOULD',
      procedures: ['introduction', 'unavailable', 'revoked-token', 'revoked-on-retry'],
      assertion: every(
        each(
          where(
            callsOf(),
            ({ operation: id }, { form }) =>
              id !== 'getManifest' && id !== 'issueToken' && form?.conduct.requestIds !== false,
          ),
          (call) =>
            !call.requestHeader('x-request-id') &&
            `its ${call.operation ?? 'request'} has no X-Request-Id`,
        ),
        retriesShareId,
        retriesShareEventId,
      ),
      remedy:
        'Send X-Request-Id with every request, and repeat a request with the same one, an event with its eventId too.',
    },
  },
)
