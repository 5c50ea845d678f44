/** A whole exchange, redacted: for whatever writes one without the recording's own format. */
import type { Exchange, HeaderPairs, Wire } from '../exchange.ts'
import type { Redacted, Redactor, Side } from './redactor.ts'
import type { Redaction } from './walk.ts'

const typeOf = (headers: HeaderPairs): string =>
  headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''

/** Bytes cannot be looked into, and their hash would confirm a guess at what was redacted. */
function withoutBytes<Part extends { readonly wire?: Wire }>(part: Part): Part {
  if (!part.wire) return part
  const { base64: _base64, sha256: _sha256, ...wire } = part.wire
  return { ...part, wire }
}

/** The exchange itself is not touched: it may still be on its way, or on a screen. */
export function redactExchange(exchange: Exchange, redactor: Redactor): Redacted<Exchange> {
  const red: Redaction[] = []
  const taken = <Value>(redacted: Redacted<Value>): Value => {
    red.push(...redacted.red)
    return redacted.value
  }
  const { request, reply, failure, orderId, eventIds } = exchange

  function message<
    Part extends { readonly headers: HeaderPairs; readonly body?: string; readonly wire?: Wire },
  >(side: Side, whole: Part): Part {
    const part = withoutBytes(whole)
    const headers = part.headers.map(
      ([name, value]) => [name, taken(redactor.header(side, name, value))] as const,
    )
    if (part.body === undefined) return { ...part, headers }
    const body = taken(redactor.body(side, part.body, typeOf(part.headers), request.url))
    return { ...part, headers, body }
  }

  const where = taken(redactor.url(request.url, exchange.params))
  return {
    value: {
      ...exchange,
      ...(where.params ? { params: where.params } : {}),
      ...(orderId === undefined ? {} : { orderId: redactor.id(orderId) }),
      ...(eventIds === undefined ? {} : { eventIds: eventIds.map((id) => redactor.id(id)) }),
      request: { ...message('request', request), url: where.url },
      ...(reply ? { reply: message('response', reply) } : {}),
      ...(failure
        ? {
            failure: {
              code: failure.code,
              message: taken(redactor.message(failure.message, 'err.message')),
            },
          }
        : {}),
    },
    red,
  }
}
