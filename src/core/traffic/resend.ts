/**
 * How an exchange is sent again: a call of ours as a command that plans it anew, so that it gets a fresh token, signature
 * and date; a call of the user's service as the request that it was.
 */
import { compact } from '../base/compact.ts'
import { pathBelow } from '../base/join-url.ts'
import { isMadeInLoop, type CallIntent } from '../engine/calls/call.ts'
import type { CallCommand } from '../engine/calls/commands.ts'
import type { EventCommand } from '../engine/orders/event-commands.ts'
import { operation } from '../protocol/catalogue.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { type Exchange, type ExchangeRequest, headerValue } from './exchange.ts'

export type Resend =
  | {
      readonly kind: 'call'
      readonly command: Extract<CallCommand | EventCommand, { kind: 'call.place' | 'event.push' }>
    }
  | { readonly kind: 'request'; readonly request: ExchangeRequest }

/** An exchange that was sent again. */
export interface ResentExchange {
  /** Its own number; absent where a fault or the service holds it back for longer than a call may take. */
  readonly seq?: number
  /** Absent when there was no reply. */
  readonly status?: number
  /** Code of the transport failure. */
  readonly failure?: string
  /** On the wall clock. */
  readonly tookMs?: number
}

/** `sent again as #123: 200 in 12 ms` */
export function resentText({ seq, status, failure, tookMs = 0 }: ResentExchange): string {
  if (seq === undefined) return 'sent again: a fault or your service holds it back'
  return `sent again as #${seq}: ${status ?? failure ?? 'no reply'} in ${Math.round(tookMs)} ms`
}

/** Whether the request had a body that was not kept. */
const lacksBody = ({ request, reply }: Exchange): boolean =>
  request.body === undefined &&
  (Number(headerValue(request.headers, 'content-length') ?? 0) > 0 || reply?.status === 413)

function parsedBody({ body }: ExchangeRequest): Result<{ readonly body?: unknown }, string> {
  if (body === undefined) return ok({})
  try {
    return ok({ body: JSON.parse(body) as unknown })
  } catch {
    return err('its body is no JSON: a fault cut it')
  }
}

/** Where a call went. */
interface Receiver {
  /** Index of the further Delivery Platform, if it was one. */
  readonly platform?: number | undefined
  /** Its base URL, whose own query comes with every call. */
  readonly base?: string | undefined
}

/** The call of ours, planned anew under its request id. */
function callOf(exchange: Exchange, { platform, base = '' }: Receiver): Result<CallIntent, string> {
  const { from, to, operation: id, params, request, attempt = 1 } = exchange
  if (id === undefined) return err('the protocol has no such operation')
  const intent = { from: from.role, to: to.role, operation: id, attempt: attempt + 1 }
  if (isMadeInLoop(intent))
    return err(`${id} is repeated by itself: the next one shows what your service answers now`)
  // Its body is a form with our credentials, which is composed for each request.
  const body = id === 'issueToken' ? ok({}) : parsedBody(request)
  if (!body.ok) return body
  const [, search = ''] = (pathBelow(base, request.url) ?? request.url).split('?', 2)
  const query = Object.fromEntries(new URLSearchParams(search))
  return ok({
    ...intent,
    ...body.value,
    ...compact({
      params,
      platform,
      query: Object.keys(query).length > 0 ? query : undefined,
      requestId: headerValue(request.headers, 'x-request-id'),
    }),
  })
}

/** How to send it again; the error says why that is impossible. */
export function resendOf(exchange: Exchange, receiver: Receiver): Result<Resend, string> {
  const { from, operation: id, request, eventIds = [], unparsed } = exchange
  if (unparsed) return err('no request came that could be parsed')
  if (lacksBody(exchange)) return err('its body was not kept, since it is too large')
  if (from.party === 'subject') return ok({ kind: 'request', request })
  const [eventId, ...others] = eventIds
  // A webhook is another handover of the same event: its channel and the rules know of it.
  if (id !== undefined && operation(id).webhook && eventId !== undefined && others.length === 0)
    return ok({ kind: 'call', command: { kind: 'event.push', eventId, attempt: 1 } })
  const call = callOf(exchange, receiver)
  return call.ok ? ok({ kind: 'call', command: { kind: 'call.place', call: call.value } }) : call
}
