/** An exchange out of a file that knows nothing of our protocol. */
import { roles } from '../../protocol/role.ts'
import { recordableLength } from '../date-time.ts'
import type { Exchange, ExchangeReply, HeaderPairs, Party } from '../exchange.ts'

/** Who calls whom is found out later, by the operation and by what whoever imports says. */
export const strangers: { readonly from: Party; readonly to: Party } = {
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

/** Whole microseconds, which is what a recording holds: the difference of two instants has dust behind that. */
const toMicros = (ms: number): number => Math.round(ms * 1000) / 1000

/** Our own shape of a call that somebody else wrote down. */
export function foreignExchange(call: ForeignCall): Omit<Exchange, 'seq'> {
  const { startedAt, tookMs = 0, method, url, headers, body, reply, failure } = call
  return {
    startedAt: toMicros(startedAt),
    tookMs: toMicros(recordableLength(tookMs)),
    ...strangers,
    request: { method, url, headers, ...(body === undefined ? {} : { body }) },
    ...(reply ? { reply } : {}),
    ...(failure ? { failure } : {}),
  }
}

/** The first value of a header, whatever its case. */
export const headerOf = (headers: HeaderPairs, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1]
