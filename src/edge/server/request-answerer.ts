/** Answers a request without a socket, and logs its exchange: for fetch-style handlers, and for requests sent again. */
import type { Role } from '../../protocol/role.ts'
import type { Exchange, ExchangeRequest } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { wallNow } from '../clock/clock.ts'
import type { Host, ServedRequest } from './host.ts'
import { bodyTooLargeReply } from './limits.ts'
import type { IncomingRequest } from './messages.ts'
import type { SendOutcome } from './send-distorted.ts'
import { createServedExchange, unansweredRequest } from './served-exchange.ts'

export interface RequestAnswererOptions {
  readonly host: Host
  readonly log: TrafficLog
  readonly subject: Role | undefined
  readonly beforeAnswer: (request: IncomingRequest) => Promise<void> | undefined
  readonly onBug: (error: unknown) => void
}

export interface ReceivedRequest {
  readonly request: ExchangeRequest
  readonly header: (name: string) => string | undefined
  /** The body is over the limit, and was left out. */
  readonly isTooLarge?: boolean
  /** The exchange that an operator sends again with it, in place of its caller. */
  readonly resendOf?: number
}

export interface UnloggedAnswer {
  readonly served: ServedRequest
  /** Logs the exchange, with what the client received of a reply that a fault distorted. */
  readonly log: (outcome?: SendOutcome) => Exchange
}

export function createRequestAnswerer({
  host,
  log,
  subject,
  beforeAnswer,
  onBug,
}: RequestAnswererOptions): (received: ReceivedRequest) => Promise<UnloggedAnswer> {
  const exchangeOf = createServedExchange(host, subject)
  return async ({ request, header, isTooLarge = false, resendOf }) => {
    const startedAt = wallNow()
    const { method, url, headers, body = '' } = request
    const seq = log.begin(
      // One that an operator sends again is not recorded, not even as one in flight.
      resendOf === undefined
        ? {
            startedAt,
            soFar: () =>
              exchangeOf({
                served: unansweredRequest,
                seq: 0,
                startedAt,
                request: { method, url, headers },
              }),
          }
        : undefined,
    )
    const { pathname, search } = new URL(url)
    const incoming: IncomingRequest = {
      method,
      target: `${pathname}${search}`,
      header,
      headers,
      body,
      ...(resendOf === undefined ? {} : { byOperator: true }),
    }
    let served: ServedRequest
    try {
      const starting = beforeAnswer(incoming)
      if (starting) await starting
      served = isTooLarge ? { reply: bodyTooLargeReply(host) } : host.answer(incoming)
      if (served.reply.later) served = { ...served, reply: await served.reply.later }
    } catch (error) {
      onBug(error)
      served = { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    const parts = { served, seq, startedAt, request, resendOf }
    return {
      served,
      log: (outcome) => log.add(exchangeOf(outcome ? { ...parts, outcome } : parts)),
    }
  }
}
