/** Answers a request without a socket, and logs its exchange: for fetch-style handlers, and for requests sent again. */
import type { Role } from '../../protocol/role.ts'
import type { Exchange, ExchangeRequest } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { wallNow } from '../clock/clock.ts'
import type { Host, ServedRequest } from './host.ts'
import { bodyTooLargeReply } from './limits.ts'
import { type IncomingRequest, loggedBytes } from './messages.ts'
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

/** Answers at once, unless the session is still starting or the reply comes from elsewhere. Never throws or rejects. */
export type RequestAnswerer = (
  received: ReceivedRequest,
) => UnloggedAnswer | Promise<UnloggedAnswer>

export function createRequestAnswerer({
  host,
  log,
  subject,
  beforeAnswer,
  onBug,
}: RequestAnswererOptions): RequestAnswerer {
  const exchangeOf = createServedExchange(host, subject)
  return ({ request, header, isTooLarge = false, resendOf }) => {
    const startedAt = wallNow()
    const { method, url, headers, body = '' } = request
    const bytes = loggedBytes(request)
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
      ...(bytes ? { bytes } : {}),
      ...(resendOf === undefined ? {} : { byOperator: true }),
    }
    const parts = { seq, startedAt, request, resendOf }
    const unlogged = (served: ServedRequest): UnloggedAnswer => ({
      served,
      log: (outcome) => log.add(exchangeOf({ ...parts, served, ...(outcome ? { outcome } : {}) })),
    })
    const internalError = (error: unknown): ServedRequest => {
      onBug(error)
      return { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    const answered = (): UnloggedAnswer | Promise<UnloggedAnswer> => {
      const served = isTooLarge ? { reply: bodyTooLargeReply(host) } : host.answer(incoming)
      const { later } = served.reply
      return later ? later.then((reply) => unlogged({ ...served, reply })) : unlogged(served)
    }
    const failed = (error: unknown): UnloggedAnswer => unlogged(internalError(error))
    try {
      const starting = beforeAnswer(incoming)
      return starting ? starting.then(answered).catch(failed) : answered()
    } catch (error) {
      return failed(error)
    }
  }
}
