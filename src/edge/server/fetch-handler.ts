/** A host as a fetch-style function: the in-process face, and what stands behind every msw handler. */
import type { Role } from '../../protocol/role.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { wallNow } from '../clock/clock.ts'
import { carryOut, type Ending } from './send-distorted.ts'
import { fetchLine, responseOf } from './fetch-transport.ts'
import type { Host, Served } from './host.ts'
import type { Incoming } from './messages.ts'
import { bodyLimit, tooLarge } from './limits.ts'
import { createServedExchange, unanswered } from './served-exchange.ts'

export interface FetchFaceOptions {
  readonly host: Host
  readonly log: TrafficLog
  readonly subject: Role | undefined
  readonly beforeAnswer: (request: Incoming) => Promise<void> | undefined
  readonly onBug: (error: unknown) => void
}

export function createFetchFace(
  options: FetchFaceOptions,
): (request: Request) => Promise<Response> {
  const { host, log, subject } = options
  const exchangeOf = createServedExchange(host, subject)
  return async (request) => {
    // As fetch does: what was called off before it began is never sent.
    request.signal.throwIfAborted()
    const startedAt = wallNow()
    const { method, url } = request
    // As the server reads it: text() would swallow a byte order mark, and a signature is over every byte. A body that
    // breaks off is the caller's own failure: no exchange has begun.
    const bytes = Buffer.from(await request.arrayBuffer())
    const body = bytes.length > bodyLimit ? '' : bytes.toString('utf8')
    const seq = log.begin({
      startedAt,
      soFar: () =>
        exchangeOf({
          served: unanswered,
          seq: 0,
          startedAt,
          request: { method, url, headers: [...request.headers] },
        }),
    })
    const { pathname, search } = new URL(request.url)
    const came: Incoming = {
      method: request.method,
      target: `${pathname}${search}`,
      header: (name) => request.headers.get(name) ?? undefined,
      body,
    }
    let served: Served
    try {
      const begun = options.beforeAnswer(came)
      if (begun) await begun
      served = bytes.length > bodyLimit ? { reply: tooLarge(host) } : host.answer(came)
    } catch (error) {
      options.onBug(error)
      served = { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    const asked = {
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
    if (served.way) {
      const line = fetchLine(request)
      const over = (ending: Ending): void => log.add(exchangeOf({ ...asked, ending }))
      carryOut(served.reply, served.way, line, over).catch(options.onBug)
      return line.response
    }
    log.add(exchangeOf(asked))
    return responseOf(served.reply)
  }
}
