/** Builds an exchange from a request in a foreign format. */
import { compact } from '../../core/base/compact.ts'
import { roles } from '../../core/protocol/role.ts'
import { recordableDurationMs } from '../../core/traffic/date-time.ts'
import {
  type Exchange,
  type ExchangeReply,
  type HeaderPairs,
  type Party,
  type Wire,
  fieldLines,
  headerValue,
} from '../../core/traffic/exchange.ts'
import { textToBase64 } from '../../core/traffic/redaction/base64.ts'
import { encodeIn, percentDecode } from '../../core/traffic/redaction/percent-encoding.ts'

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
  readonly wire?: Wire | undefined
  readonly reply?: ExchangeReply | undefined
  readonly failure?: Exchange['failure'] | undefined
}

/** Rounds to whole microseconds, the resolution of a recording; differences of floats are not exact. */
const toMicros = (ms: number): number => Math.round(ms * 1000) / 1000

/**
 * Credentials in a URL are no part of it: every client sends them as Basic. Beside other credentials they are not sent, and stay
 * where they are: redaction learns them there.
 */
function withoutUserInfo({ url, headers }: ForeignCall): Pick<ForeignCall, 'url' | 'headers'> {
  const [, scheme = '', user] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i.exec(url) ?? []
  if (user === undefined || headerValue(headers, 'authorization') !== undefined)
    return { url, headers }
  const text = percentDecode(user.includes(':') ? user : `${user}:`)
  const basic = ['Authorization', `Basic ${textToBase64(text, 'plain')}`] as const
  return { url: scheme + url.slice(scheme.length + user.length + 1), headers: [...headers, basic] }
}

const separateFields = (headers: HeaderPairs): HeaderPairs =>
  headers.flatMap(([name, value]) => fieldLines(value).map((line) => [name, line] as const))

export function createForeignExchange(call: ForeignCall): Omit<Exchange, 'seq'> {
  const { startedAt, tookMs = 0, method, body, wire, reply, failure } = call
  const { url, headers } = withoutUserInfo(call)
  return {
    startedAt: toMicros(startedAt),
    tookMs: toMicros(recordableDurationMs(tookMs)),
    ...unknownParties,
    // Some programs write URLs as a person reads them, and no client can send these.
    request: {
      method,
      url: encodeIn(url),
      headers: separateFields(headers),
      ...compact({ body, wire }),
    },
    ...(reply ? { reply: { ...reply, headers: separateFields(reply.headers) } } : {}),
    ...compact({ failure }),
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
