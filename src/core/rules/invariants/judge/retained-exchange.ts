/** What is retained of an exchange that rules keep: evidence, and the exchange without what may be large. */
import { type Instant, clockOf } from '../../../engine/instant.ts'
import { shortText } from '../../../engine/short-text.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { signatureHeaders } from '../../../protocol/signature.ts'
import { shortRoleName } from '../../../protocol/role.ts'
import { type Exchange, type HeaderPairs, wallTimesOf } from '../../../traffic/exchange.ts'
import { displayPath } from '../../../traffic/redaction/display.ts'
import type { ObservedExchange } from './observations.ts'
import type { CallEvidence } from '../tracking/tracker-state.ts'

/** Many are retained and few are read, so it holds only the parts of its line and formats them on demand. */
export class LazyEvidence implements CallEvidence {
  readonly seq: number
  readonly at: Instant
  readonly wall: number
  readonly operation: OperationId | undefined
  readonly #asker: string
  readonly #asked: string
  readonly #method: string
  readonly #url: string
  readonly #end: string | number | undefined

  constructor({
    exchange,
    began,
    operation,
  }: Pick<ObservedExchange, 'exchange' | 'began' | 'operation'>) {
    const { seq, from, to, request, reply, failure } = exchange
    this.seq = seq
    this.at = began
    this.wall = wallTimesOf(exchange).startedAt
    this.operation = operation
    this.#asker = shortRoleName[from.role]
    this.#asked = shortRoleName[to.role]
    this.#method = request.method
    this.#url = shortText(request.url)
    this.#end = reply ? reply.status : failure?.code
  }

  get line(): string {
    const call = `${this.#method} ${displayPath(this.#url)}`
    return `${clockOf(this.at)}  ${this.#asker} > ${this.#asked}  ${call}  ${this.#end ?? 'no answer'}`
  }
}

export function headerIn(headers: HeaderPairs | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined
  // Names of another length are skipped early: this runs for every call, and most have no such header.
  for (const [key, value] of headers)
    if (key.length === name.length && key.toLowerCase() === name) return value
  return undefined
}

/** Headers that rules ask for of an earlier exchange, by lower-case name. */
const retainedRequestHeaders = ['authorization', 'x-request-id', ...signatureHeaders]
const retainedReplyHeaders = ['retry-after'] as const

function retainedHeaders(headers: HeaderPairs, names: readonly string[]): HeaderPairs {
  const retained: (readonly [string, string])[] = []
  for (const name of names) {
    const value = headerIn(headers, name)
    if (value !== undefined) retained.push([name, value])
  }
  return retained
}

/** An exchange without what may be large. */
export function retainedPart(exchange: Exchange): Exchange {
  const { request, reply } = exchange
  const { params: _params, eventIds: _eventIds, ...rest } = exchange
  return {
    ...rest,
    request: {
      method: request.method,
      url: shortText(request.url),
      headers: retainedHeaders(request.headers, retainedRequestHeaders),
    },
    ...(reply
      ? {
          reply: {
            status: reply.status,
            headers: retainedHeaders(reply.headers, retainedReplyHeaders),
          },
        }
      : {}),
  }
}

/** What the bodies of a released exchange said. */
export type Said = Pick<ObservedExchange, 'bodyOrderId' | 'requestFingerprint' | 'retryable'>

export const nothingSaid: Said = {
  bodyOrderId: undefined,
  requestFingerprint: undefined,
  retryable: undefined,
}

/** An observed exchange that can be reduced to what may be kept of it. */
export interface ReleasableExchange extends ObservedExchange {
  /** To be called once all have observed it. */
  readonly release: () => void
}
