/** A span of OTLP in its JSON form, made from an exchange; attributes by the semantic conventions of HTTP. */
import { operation as operationRow } from '../../protocol/catalogue.ts'
import { displayText, displayUrl } from '../../traffic/redaction/display.ts'
import { type Exchange, type SpanIds, statusClass, wallTimesOf } from '../../traffic/exchange.ts'

type AttributeValue = { readonly stringValue: string } | { readonly intValue: string }

export interface OtlpAttribute {
  readonly key: string
  readonly value: AttributeValue
}

export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly flags: number
  readonly name: string
  /** 2 is a server, 3 a client. */
  readonly kind: 2 | 3
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  /** Code 2 is an error. */
  readonly status: { readonly code?: 2; readonly message?: string }
}

/** Attributes; a member that is undefined is left out. Whole numbers are strings in the JSON form. */
export const otlpAttributes = (
  values: Readonly<Record<string, string | number | undefined>>,
): readonly OtlpAttribute[] =>
  Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [
      {
        key,
        value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
      },
    ]
  })

/** Milliseconds since 1970 as nanoseconds: more digits than a number has. */
const nanoseconds = (ms: number): string => {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)))
}

/** The flags of a span say that whether its parent is remote is known, and that it is. */
const remoteParentFlags = 0x300

function statusOf(exchange: Exchange, kind: SpanIds['kind']): OtlpSpan['status'] {
  const { reply, failure } = exchange
  if (failure) return { code: 2, message: displayText(failure.message, exchange.request.url) }
  const isError = statusClass(reply) === 5 || (kind === 'client' && statusClass(reply) === 4)
  return isError ? { code: 2 } : {}
}

function errorType({ reply, failure }: Exchange, status: OtlpSpan['status']): string | undefined {
  return failure?.code ?? (status.code === 2 ? String(reply?.status ?? 0) : undefined)
}

/** The span of an exchange, on the wall clock. Bodies, headers and queries are not in it. */
export function otlpSpan(exchange: Exchange, trace: SpanIds): OtlpSpan {
  const { seq, from, to, operation, orderId, attempt, request, reply, fault } = exchange
  const { kind, traceId, spanId, parentSpanId, tracestate, links } = trace
  const { startedAt, tookMs } = wallTimesOf(exchange)
  const { protocol, hostname, port, origin, pathname } = new URL(displayUrl(request.url))
  const route = operation && operationRow(operation).path
  const status = statusOf(exchange, kind)
  const scheme = protocol.slice(0, -1)
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    ...(tracestate === undefined ? {} : { traceState: tracestate }),
    flags: remoteParentFlags * Number(kind === 'server' && parentSpanId !== undefined) + 1,
    name: route === undefined ? request.method : `${request.method} ${route}`,
    kind: kind === 'server' ? 2 : 3,
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(startedAt + tookMs),
    attributes: otlpAttributes({
      'http.request.method': request.method,
      'url.scheme': scheme,
      'url.path': pathname,
      ...(kind === 'server'
        ? { 'http.route': route }
        : {
            'url.full': `${origin}${pathname}`,
            'http.request.resend_count':
              attempt === undefined || attempt < 2 ? undefined : attempt - 1,
          }),
      'server.address': hostname,
      'server.port': Number(port || (scheme === 'https' ? 443 : 80)),
      'http.response.status_code': reply?.status,
      'error.type': errorType(exchange, status),
      'sparring.exchange': seq === 0 ? undefined : seq,
      'sparring.from': from.role,
      'sparring.to': to.role,
      'sparring.operation': operation,
      'sparring.order_id': orderId,
      'sparring.fault': fault,
    }),
    ...(links ? { links } : {}),
    status,
  }
}
