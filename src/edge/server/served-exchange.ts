/** An exchange as the host's side saw it: what came, what was answered, who it was and what it was about. */
import { compact } from '../../compact.ts'
import { type Role, roles } from '../../protocol/role.ts'
import type {
  Exchange,
  ExchangeReply,
  ExchangeRequest,
  HeaderPairs,
  Party,
} from '../../traffic/exchange.ts'
import { wallNow } from '../clock/clock.ts'
import type { Ending } from './send-distorted.ts'
import type { Host, Served } from './host.ts'

/** What stands for the answer of a request that has none yet: its reply is no reply. */
export const unanswered: Served = { reply: { status: 0, headers: {} } }

export interface ServedParts {
  readonly served: Served
  readonly seq: number
  readonly startedAt: number
  readonly request: ExchangeRequest
  /** What became of the answer, where a fault distorted it. */
  readonly ending?: Ending
}

type Draft = { -readonly [Key in keyof Exchange]: Exchange[Key] }

/**
 * Writes down what one host serves. This runs for every request of a busy session, and thousands of its exchanges stay
 * in memory, so they share what is the same in all of them.
 */
export function createServedExchange(
  host: Host,
  subject: Role | undefined,
): (parts: ServedParts) => Exchange {
  const to: Party = { role: host.role, party: 'sparring' }
  const known = new Map<Role, Party>()

  function partyOf(role: Role): Party {
    const before = known.get(role)
    if (before) return before
    const party: Party = { role, party: role === subject ? 'subject' : 'sparring' }
    known.set(role, party)
    return party
  }

  /** Who calls when no client says so: the subject if it may call this, or whoever usually does. */
  function usualCaller(served: Served): Role {
    const callers = (served.route?.row.callers ?? roles).filter((role) => role !== host.role)
    const usual = subject && callers.includes(subject) ? subject : callers[0]
    return usual ?? host.role
  }

  /** The same as the client saw it in the end. */
  function distorted(
    { reply: _reply, eventIds, ...exchange }: Draft,
    { way, route }: Served,
    { reply, failure }: Ending,
  ): Exchange {
    // Events that a poll brings were not handed over by an answer that did not come whole.
    const handed = failure && route?.row.method === 'GET' ? undefined : eventIds
    return {
      ...exchange,
      ...compact({ eventIds: handed }),
      ...(reply ? { reply: replyOf(reply) } : {}),
      ...compact({ failure }),
      ...(way ? { fault: way.fault } : {}),
    }
  }

  const replyOf = (reply: Served['reply']): ExchangeReply => {
    const { status, body } = reply
    const headers = pairsOf(reply)
    return body === undefined ? { status, headers } : { status, headers, body }
  }

  /** Most answers with one status share one object of headers. */
  const lastHeaders = new Map<number, { readonly from: object; readonly pairs: HeaderPairs }>()

  function pairsOf({ status, headers }: Served['reply']): HeaderPairs {
    const last = lastHeaders.get(status)
    if (last?.from === headers) return last.pairs
    const pairs = Object.entries(headers)
    lastHeaders.set(status, { from: headers, pairs })
    return pairs
  }

  return ({ served, seq, startedAt, request, ending }) => {
    const { route, reply, client } = served
    const { about } = reply
    const exchange: Draft = {
      seq,
      startedAt,
      tookMs: wallNow() - startedAt,
      from: partyOf(client?.role ?? served.caller ?? usualCaller(served)),
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
    return ending ? distorted(exchange, served, ending) : exchange
  }
}
