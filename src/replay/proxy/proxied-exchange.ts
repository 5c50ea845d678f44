/** One exchange as the proxy observes it: collects head, body and trailers of both messages, and logs it once it is over. */
import { compact } from '../../core/base/compact.ts'
import {
  headerValue,
  type Exchange,
  type ExchangeRequest,
  type HeaderPairs,
  type Party,
} from '../../core/traffic/exchange.ts'
import type { TrafficLog } from '../../core/traffic/log.ts'
import { failedOutcome } from '../../core/runtime/client/call-outcome.ts'
import { wallNow } from '../../core/runtime/clock/clock.ts'
import { createBodyTap } from './body-tap.ts'
import { listedValues, type StatusLine } from './message-framing.ts'

export type ExchangeFailure = NonNullable<Exchange['failure']>

export const socketFailure = (error: unknown): ExchangeFailure => {
  const { code, message } = failedOutcome(error)
  return { code, message }
}

/** Why an exchange has no reply, or an incomplete one, where no error of a socket says it. */
export const failures = {
  clientGone: { code: 'CALLER_GONE', message: 'the caller hung up' },
  replyCutOff: {
    code: 'ERR_STREAM_PREMATURE_CLOSE',
    message: 'the connection was ended before the answer was complete',
  },
  stopped: {
    code: 'STOPPED',
    message: 'the recording was stopped before the answer was complete',
  },
} as const satisfies Readonly<Record<string, ExchangeFailure>>

export interface ProxiedExchange {
  readonly method: string
  /** The client asks for another protocol: what follows depends on the response. */
  readonly isUpgrade: boolean
  readonly takeRequest: (bytes: Buffer) => void
  readonly endRequest: (trailers: HeaderPairs) => void
  readonly beginReply: (line: StatusLine, headers: HeaderPairs) => void
  readonly takeReply: (bytes: Buffer) => void
  readonly endReply: (trailers: HeaderPairs) => void
  /** The connection is over: what has not come will not come. Without a failure if the reply is complete. */
  readonly close: (failure?: ExchangeFailure) => void
}

export interface ObservedRequest {
  readonly startedAt: number
  readonly method: string
  readonly url: string
  readonly version: string
  readonly headers: HeaderPairs
}

export interface ProxiedExchangeOptions {
  /** Caller and callee. */
  readonly from: Party
  readonly to: Party
  readonly log: TrafficLog
  /** Adds operation and correlation to an exchange after it has ended. */
  readonly recognise: (exchange: Exchange) => Exchange
  /** Called with the work of logging, which decodes bodies. */
  readonly onOver: (work: Promise<void>) => void
}

/** One of the two messages. */
function observeMessage(version: string, headers: HeaderPairs) {
  const tap = createBodyTap()
  let trailers: HeaderPairs | undefined
  return {
    take: tap.take,
    end: (pairs: HeaderPairs) => void (trailers = pairs),
    isOver: () => trailers !== undefined,
    async body() {
      const { body, wire } = await tap.body(headerValue(headers, 'content-encoding'))
      const facts = {
        ...wire,
        ...(trailers?.length ? { trailers } : {}),
        ...(version === '1.0' ? ({ version } as const) : {}),
      }
      return compact({ body, wire: Object.keys(facts).length > 0 ? facts : undefined })
    },
  }
}

export function observeExchange(
  { startedAt, method, url, version, headers }: ObservedRequest,
  { from, to, log, recognise, onOver }: ProxiedExchangeOptions,
): ProxiedExchange {
  const head: ExchangeRequest = { method, url, headers }
  const seq = log.begin({ startedAt, soFar: () => ({ from, to, request: head }) })
  const sent = observeMessage(version, headers)
  let sentMs: number | undefined
  let got: ReturnType<typeof observeMessage> | undefined
  let replyHead: { readonly status: number; readonly headers: HeaderPairs } | undefined
  let repliedMs: number | undefined
  let isOver = false

  async function logIt(tookMs: number, failure: ExchangeFailure | undefined): Promise<void> {
    const request = { ...head, ...(await sent.body()) }
    const reply = replyHead && { ...replyHead, ...(await got?.body()) }
    log.add(
      recognise({
        seq,
        startedAt,
        tookMs,
        ...compact({ sentMs, repliedMs }),
        from,
        to,
        request,
        ...compact({ reply, failure }),
      }),
    )
  }

  function over(failure?: ExchangeFailure): void {
    if (isOver) return
    isOver = true
    onOver(logIt(wallNow() - startedAt, failure))
  }

  return {
    method,
    isUpgrade: listedValues(headers, 'connection').includes('upgrade'),
    takeRequest: sent.take,
    endRequest(trailers) {
      sentMs = wallNow() - startedAt
      sent.end(trailers)
      if (got?.isOver()) over()
    },
    beginReply(line, replyHeaders) {
      repliedMs = wallNow() - startedAt
      replyHead = { status: line.status, headers: replyHeaders }
      got = observeMessage(line.version, replyHeaders)
    },
    takeReply: (bytes) => got?.take(bytes),
    endReply(trailers) {
      got?.end(trailers)
      if (sent.isOver()) over()
    },
    close: (failure) => over(got?.isOver() ? undefined : failure),
  }
}
