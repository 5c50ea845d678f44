/** Redacts a whole exchange, for writers of other formats than recordings. */
import { compact } from '../../base/compact.ts'
import { type Exchange, type HeaderPairs, type Wire, headerValue } from '../exchange.ts'
import type { Redacted, Redactor, RedactedSide } from './redactor.ts'
import type { Redaction } from './walk.ts'

/** Drops bytes and hash: bytes cannot be redacted, and a hash would confirm a guess at the original. */
function withoutBytes<Part extends { readonly wire?: Wire }>(part: Part): Part {
  if (!part.wire) return part
  const { base64: _base64, sha256: _sha256, ...wire } = part.wire
  return { ...part, wire }
}

/** Returns a copy: the exchange may still be in flight or on a screen. */
export function redactExchange(exchange: Exchange, redactor: Redactor): Redacted<Exchange> {
  const red: Redaction[] = []
  const collect = <Value>(redacted: Redacted<Value>): Value => {
    red.push(...redacted.red)
    return redacted.value
  }
  const { request, reply, failure, orderId, eventIds } = exchange

  function message<
    Part extends { readonly headers: HeaderPairs; readonly body?: string; readonly wire?: Wire },
  >(side: RedactedSide, whole: Part): Part {
    const part = withoutBytes(whole)
    const headers = part.headers.map(
      ([name, value]) => [name, collect(redactor.header(side, name, value))] as const,
    )
    const trailers = part.wire?.trailers?.map(
      ([name, value]) => [name, collect(redactor.header(side, name, value, 'trailers'))] as const,
    )
    const next = trailers
      ? { ...part, headers, wire: { ...part.wire, trailers } }
      : { ...part, headers }
    if (part.body === undefined) return next
    const body = collect(
      redactor.body(side, part.body, headerValue(part.headers, 'content-type') ?? '', request.url),
    )
    return { ...next, body }
  }

  const redactedUrl = collect(redactor.url(request.url, exchange.params))
  return {
    value: {
      ...exchange,
      ...compact({ params: redactedUrl.params }),
      ...(orderId === undefined ? {} : { orderId: redactor.id(orderId) }),
      ...(eventIds === undefined ? {} : { eventIds: eventIds.map((id) => redactor.id(id)) }),
      request: { ...message('request', request), url: redactedUrl.url },
      ...(reply ? { reply: message('response', reply) } : {}),
      ...(failure
        ? {
            failure: {
              code: failure.code,
              message: collect(redactor.message(failure.message, 'err.message')),
            },
          }
        : {}),
    },
    red,
  }
}
