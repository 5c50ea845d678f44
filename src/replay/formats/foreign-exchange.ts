/** Builds an exchange from a request in a foreign format. */
import { compact } from '../../core/base/compact.ts'
import { roles } from '../../core/protocol/role.ts'
import { recordableDurationMs } from '../../core/traffic/date-time.ts'
import {
  type Exchange,
  type ExchangeReply,
  type HeaderPairs,
  type Party,
  headerValue,
} from '../../core/traffic/exchange.ts'

/** Placeholder parties; the role mapping replaces them. */
export const unknownParties: { readonly from: Party; readonly to: Party } = {
  from: { role: roles[1], party: 'subject' },
  to: { role: roles[0], party: 'partner' },
}

export interface ForeignCall {
  readonly startedAt: number
  readonly tookMs?: number | undefined
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: HeaderPairs
  readonly body?: string | undefined
  readonly reply?: ExchangeReply | undefined
  readonly failure?: Exchange['failure'] | undefined
}

/** Rounds to whole microseconds, the resolution of a recording; differences of floats are not exact. */
const toMicros = (ms: number): number => Math.round(ms * 1000) / 1000

export function createForeignExchange(call: ForeignCall): Omit<Exchange, 'seq'> {
  const { startedAt, tookMs = 0, method, url, headers, body, reply, failure } = call
  return {
    startedAt: toMicros(startedAt),
    tookMs: toMicros(recordableDurationMs(tookMs)),
    ...unknownParties,
    request: { method, url, headers, ...compact({ body }) },
    ...compact({ reply, failure }),
  }
}

/** Adds a header that a client sends unless it is set. */
export function addDefaultHeader(
  headers: (readonly [string, string])[],
  name: string,
  value: string | undefined,
): void {
  if (value !== undefined && headerValue(headers, name) === undefined) headers.push([name, value])
}
