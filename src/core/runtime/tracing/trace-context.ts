/** W3C trace context: `traceparent` and `tracestate` of a request, and its `baggage`, read and written. */

export interface TraceContext {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string
  /** 16 hexadecimal digits in lower case: the span that what follows is a child of. */
  readonly spanId: string
  /** Whether its spans are exported: the sampling decision of the service that began the trace. */
  readonly sampled: boolean
  /** Passed on as they came. */
  readonly tracestate?: string
  readonly baggage?: string
}

/** Version, trace id, parent id, flags; a version after 00 may have more behind them. */
const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const isZero = (digits: string): boolean => /^0+$/.test(digits)

/** Longer ones are not passed on; W3C asks for 512 characters of `tracestate` and 8192 of `baggage` at least. */
const maxTracestateChars = 512
const maxBaggageChars = 8192

const within = (text: string | undefined, maxChars: number): string | undefined =>
  text === undefined || text === '' || text.length > maxChars ? undefined : text

/** The trace context of a request; undefined where it has none, or an invalid one, which begins a new trace. */
export function readTraceContext(
  header: (name: string) => string | undefined,
): TraceContext | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', more] =
    traceparentForm.exec(header('traceparent')?.trim() ?? '') ?? []
  const isValid = version !== '' && version !== 'ff' && (version !== '00' || more === undefined)
  if (!isValid || isZero(traceId) || isZero(spanId)) return undefined
  const tracestate = within(header('tracestate'), maxTracestateChars)
  const baggage = within(header('baggage'), maxBaggageChars)
  return {
    traceId,
    spanId,
    sampled: (Number.parseInt(flags, 16) & 1) === 1,
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(baggage === undefined ? {} : { baggage }),
  }
}

/** The headers that pass a trace context on. */
export const traceHeaders = ({
  traceId,
  spanId,
  sampled,
  tracestate,
  baggage,
}: TraceContext): Readonly<Record<string, string>> => ({
  traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`,
  ...(tracestate === undefined ? {} : { tracestate }),
  ...(baggage === undefined ? {} : { baggage }),
})
