/** An exchange as the host's side saw it: what came, what was answered, who it was and what it was about. */
import { type Role, roles } from '../protocol/role.ts'
import type { Exchange, ExchangeRequest, HeaderPairs, Party } from '../traffic/exchange.ts'
import { wallNow } from './clock.ts'
import type { Host, Served } from './host.ts'

export interface ServedParts {
  readonly served: Served
  readonly seq: number
  readonly startedAt: number
  readonly request: ExchangeRequest
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

  /** Most answers with one status share one object of headers. */
  const lastHeaders = new Map<number, { readonly from: object; readonly pairs: HeaderPairs }>()

  function pairsOf({ status, headers }: Served['reply']): HeaderPairs {
    const last = lastHeaders.get(status)
    if (last?.from === headers) return last.pairs
    const pairs = Object.entries(headers)
    lastHeaders.set(status, { from: headers, pairs })
    return pairs
  }

  return ({ served, seq, startedAt, request }) => {
    const { route, reply, client } = served
    const { status, body, about } = reply
    const headers = pairsOf(reply)
    const exchange: Draft = {
      seq,
      startedAt,
      tookMs: wallNow() - startedAt,
      from: partyOf(client?.role ?? usualCaller(served)),
      to,
      request,
      reply: body === undefined ? { status, headers } : { status, headers, body },
    }
    const orderId = route?.params['orderId'] ?? about?.orderId
    if (route) {
      exchange.operation = route.row.id
      exchange.params = route.params
    }
    if (orderId !== undefined) exchange.orderId = orderId
    if (about?.eventIds) exchange.eventIds = about.eventIds
    return exchange
  }
}
