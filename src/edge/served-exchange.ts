/** An exchange as the host's side saw it: what came, what was answered, who it was and what it was about. */
import { type Role, roles } from '../protocol/role.ts'
import type { Exchange, ExchangeRequest, Party } from '../traffic/exchange.ts'
import { wallNow } from './clock.ts'
import type { Host, Served } from './host.ts'

export interface ServedParts {
  readonly host: Host
  readonly subject: Role | undefined
  readonly served: Served
  readonly seq: number
  readonly startedAt: number
  readonly request: ExchangeRequest
}

/** Who called: its client's role; without a token, the subject if it may call this, or whoever usually does. */
function caller({ host, subject, served }: ServedParts): Party {
  const callers = (served.route?.row.callers ?? roles).filter((role) => role !== host.role)
  const usual = subject && callers.includes(subject) ? subject : callers[0]
  const role = served.client?.role ?? usual ?? host.role
  return { role, party: role === subject ? 'subject' : 'sparring' }
}

export function servedExchange(parts: ServedParts): Exchange {
  const { host, served, seq, startedAt, request } = parts
  const { route, reply } = served
  const orderId = route?.params['orderId'] ?? reply.about?.orderId
  const eventIds = reply.about?.eventIds
  return {
    seq,
    startedAt,
    tookMs: wallNow() - startedAt,
    from: caller(parts),
    to: { role: host.role, party: 'sparring' },
    ...(route ? { operation: route.row.id, params: route.params } : {}),
    ...(orderId === undefined ? {} : { orderId }),
    ...(eventIds ? { eventIds } : {}),
    request,
    reply: {
      status: reply.status,
      get headers() {
        return Object.entries(reply.headers)
      },
      ...(reply.body === undefined ? {} : { body: reply.body }),
    },
  }
}
