/** A host as a fetch-style handler: for in-process subjects and for the msw handlers. */
import type { Role } from '../../protocol/role.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { wallNow } from '../clock/clock.ts'
import { sendDistorted, type SendOutcome } from './send-distorted.ts'
import { createFetchReplyWriter, fetchResponseOf } from './fetch-reply-writer.ts'
import type { Host, ServedRequest } from './host.ts'
import type { IncomingRequest } from './messages.ts'
import { maxBodyBytes, bodyTooLargeReply } from './limits.ts'
import { createServedExchange, unansweredRequest } from './served-exchange.ts'

export interface FetchHandlerOptions {
  readonly host: Host
  readonly log: TrafficLog
  readonly subject: Role | undefined
  readonly beforeAnswer: (request: IncomingRequest) => Promise<void> | undefined
  readonly onBug: (error: unknown) => void
}

export function createFetchHandler(
  options: FetchHandlerOptions,
): (request: Request) => Promise<Response> {
  const { host, log, subject } = options
  const exchangeOf = createServedExchange(host, subject)
  return async (request) => {
    // As fetch does: a request that is already aborted is never sent.
    request.signal.throwIfAborted()
    const startedAt = wallNow()
    const { method, url } = request
    // As the server reads it: text() would drop a byte order mark, and a signature covers every byte. A body that
    // breaks off is the caller's own failure: no exchange is logged.
    const bytes = Buffer.from(await request.arrayBuffer())
    const body = bytes.length > maxBodyBytes ? '' : bytes.toString('utf8')
    const seq = log.begin({
      startedAt,
      soFar: () =>
        exchangeOf({
          served: unansweredRequest,
          seq: 0,
          startedAt,
          request: { method, url, headers: [...request.headers] },
        }),
    })
    const { pathname, search } = new URL(request.url)
    const incoming: IncomingRequest = {
      method: request.method,
      target: `${pathname}${search}`,
      header: (name) => request.headers.get(name) ?? undefined,
      headers: [...request.headers],
      body,
    }
    let served: ServedRequest
    try {
      const starting = options.beforeAnswer(incoming)
      if (starting) await starting
      served =
        bytes.length > maxBodyBytes ? { reply: bodyTooLargeReply(host) } : host.answer(incoming)
      if (served.reply.later) served = { ...served, reply: await served.reply.later }
    } catch (error) {
      options.onBug(error)
      served = { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    const parts = {
      served,
      seq,
      startedAt,
      request: {
        method: request.method,
        url: request.url,
        headers: [...request.headers],
        ...(body === '' ? {} : { body }),
      },
    }
    if (served.distortion) {
      const writer = createFetchReplyWriter(request)
      const onSent = (outcome: SendOutcome): void => void log.add(exchangeOf({ ...parts, outcome }))
      sendDistorted(served.reply, served.distortion, writer, onSent).catch(options.onBug)
      return writer.response
    }
    log.add(exchangeOf(parts))
    return fetchResponseOf(served.reply)
  }
}
