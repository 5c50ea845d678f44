/**
 * Builds the exchange of a served request for the traffic log: parties, operation, affected entities, request, reply.
 */
import { compact } from '../../base/compact.ts'
import { unparsedReason } from '../../rules/diagnosis/requests/unparsed-request.ts'
import { type Role, roles } from '../../protocol/role.ts'
import {
  type Exchange,
  type ExchangeReply,
  type ExchangeRequest,
  type HeaderPairs,
  type Party,
} from '../../traffic/exchange.ts'
import { wallNow } from '../clock/clock.ts'
import type { SendOutcome } from './send-distorted.ts'
import type { Host, ServedRequest } from './host.ts'
import { fieldPairs, loggedContent, type OutgoingReply } from './messages.ts'
import type { UnparsedConnection } from './unparsed-requests.ts'

/** Placeholder for a request that has no reply yet (status 0). */
export const unansweredRequest: ServedRequest = { reply: { status: 0, headers: {} } }

export interface ServedExchangeParts {
  readonly served: ServedRequest
  readonly seq: number
  readonly startedAt: number
  readonly request: ExchangeRequest
  /** What the client received of a reply that a fault distorted. */
  readonly outcome?: SendOutcome
  /** The exchange that an operator sends again with it. */
  readonly resendOf?: number | undefined
}

type Draft = { -readonly [Key in keyof Exchange]: Exchange[Key] }

/**
 * Creates the exchanges of one host. This runs for every request, and thousands of exchanges stay in memory, so they
 * share equal parts.
 */
export function createServedExchange(
  host: Host,
  subject: Role | undefined,
): (parts: ServedExchangeParts) => Exchange {
  const to: Party = { role: host.role, party: 'sparring' }
  const parties = new Map<Role, Party>()

  function partyOf(role: Role): Party {
    const known = parties.get(role)
    if (known) return known
    const party: Party = { role, party: role === subject ? 'subject' : 'sparring' }
    parties.set(role, party)
    return party
  }

  /**
   * The assumed caller of an unidentified request: the user's service, since our own roles are known by their tokens and
   * calls; without one the first role that may call the operation.
   */
  function assumedCaller(served: ServedRequest): Role {
    if (subject !== undefined && subject !== host.role) return subject
    const callers = (served.route?.row.callers ?? roles).filter((role) => role !== host.role)
    return callers[0] ?? roles.find((role) => role !== host.role) ?? host.role
  }

  /** The exchange as the client received it. */
  function distorted(
    { reply: _reply, eventIds, ...exchange }: Draft,
    { distortion, route }: ServedRequest,
    { reply, failure }: SendOutcome,
  ): Exchange {
    // An incomplete poll answer hands over no events.
    const handedOver = failure && route?.row.method === 'GET' ? undefined : eventIds
    return {
      ...exchange,
      ...compact({ eventIds: handedOver }),
      ...(reply ? { reply: replyOf(reply) } : {}),
      ...compact({ failure }),
      ...(distortion ? { fault: distortion.fault } : {}),
    }
  }

  const replyOf = (reply: ServedRequest['reply']): ExchangeReply => ({
    status: reply.status,
    headers: pairsOf(reply),
    ...loggedContent(reply),
  })

  /** Last header pairs by status: most replies with one status share one headers object. */
  const lastHeaders = new Map<number, { readonly from: object; readonly pairs: HeaderPairs }>()

  function pairsOf({ status, headers }: ServedRequest['reply']): HeaderPairs {
    const last = lastHeaders.get(status)
    if (last?.from === headers) return last.pairs
    const pairs = fieldPairs(headers)
    lastHeaders.set(status, { from: headers, pairs })
    return pairs
  }

  return ({ served, seq, startedAt, request, outcome, resendOf }) => {
    const { route, reply, client } = served
    const { about } = reply
    const exchange: Draft = {
      seq,
      startedAt,
      tookMs: wallNow() - startedAt,
      from: partyOf(client?.role ?? served.caller ?? assumedCaller(served)),
      to,
      request,
      reply: replyOf(reply),
    }
    const orderId = route?.params['orderId'] ?? about?.orderId
    if (route) {
      exchange.operation = route.row.id
      exchange.params = route.params
    }
    if (orderId !== undefined) exchange.orderId = orderId
    if (about?.eventIds) exchange.eventIds = about.eventIds
    const reason = served.reason ?? reply.refusal?.message
    if (reason !== undefined) exchange.reason = reason
    if (reply.advice !== undefined) exchange.advice = reply.advice
    if (resendOf !== undefined) exchange.resendOf = resendOf
    if (served.trace) exchange.trace = served.trace
    return outcome ? distorted(exchange, served, outcome) : exchange
  }
}

export interface UnparsedExchangeParts {
  readonly unparsed: UnparsedConnection
  /** The base URL of the server. */
  readonly base: string
  readonly seq: number
  /** Absent where the connection was closed without one. */
  readonly reply?: OutgoingReply | undefined
}

/** The exchange of a connection on which no request came that could be parsed. */
export function unparsedExchange(
  { unparsed, base, seq, reply }: UnparsedExchangeParts,
  exchangeOf: ReturnType<typeof createServedExchange>,
): Exchange {
  const { code, message } = unparsed
  const reason = unparsedReason({ ...unparsed, url: base })
  const { reply: logged, ...exchange } = exchangeOf({
    served: { ...unansweredRequest, ...compact({ reply }), reason },
    seq,
    startedAt: wallNow(),
    request: { method: '-', url: `${base}/`, headers: [] },
  })
  const end = reply ? compact({ reply: logged }) : { failure: { code, message } }
  return { ...exchange, ...end, unparsed: true }
}
