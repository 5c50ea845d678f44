/**
 * Requests and replies as plain values, shared by the HTTP server (node:http), the fetch handler (msw, in-process)
 * and all outbound transports.
 */
import { isUtf8 } from 'node:buffer'
import type { OutgoingMessage } from 'node:http'
import type { AffectedEntities } from '../../engine/handler.ts'
import type { Refusal } from '../../engine/refusal.ts'
import { type ExchangeReply, type HeaderPairs, wireWithTrailers } from '../../traffic/exchange.ts'

/** Headers by name; a list where a header is repeated, which is sent in as many lines (RFC 6265, 3). */
export type HeaderFields = Readonly<Record<string, string | string[]>>

/** Headers by lower-case name, without those of HTTP/2 that are none. */
export function headerFields(
  pairs: HeaderPairs,
  isKept: (name: string) => boolean = () => true,
): Record<string, string | string[]> {
  // A map: a header may be called `constructor`.
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    if (key.startsWith(':') || !isKept(key)) continue
    const before = fields.get(key)
    fields.set(key, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(fields)
}

export const fieldPairs = (fields: HeaderFields): HeaderPairs =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[name, value] as const]
      : value.map((each) => [name, each] as const),
  )

/** The same for a request, which has each name once: a list by commas (RFC 9110, 5.3), cookies by semicolons. */
export const joinedFields = (
  pairs: HeaderPairs,
  isKept: (name: string) => boolean,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headerFields(pairs, isKept)).map(([name, value]) => [
      name,
      [value].flat().join(name === 'cookie' ? '; ' : ', '),
    ]),
  )

/** A body: text, and its bytes where they are no UTF-8, so that the text does not hold them. */
export interface MessageContent {
  readonly body?: string
  readonly bytes?: Uint8Array
}

export const contentOf = ({ body, bytes }: MessageContent): string | Uint8Array | undefined =>
  bytes ?? body

const hasLatin1 = (value: unknown): boolean => /[^\0-\x7F]/.test(String(value))

/**
 * A body to end a message with. Node joins a text to the head before it and writes both as UTF-8, where a letter of Latin-1 in a
 * header becomes two bytes: beside such a header a body is bytes.
 */
export const contentBeside = (
  headers: Readonly<Record<string, unknown>>,
  content: string | Uint8Array | undefined,
): string | Uint8Array | undefined =>
  typeof content === 'string' && Object.values(headers).some(hasLatin1)
    ? Buffer.from(content)
    : content

export const receivedContent = (bytes: Buffer): { body: string; bytes?: Buffer } =>
  isUtf8(bytes) ? { body: bytes.toString('utf8') } : { body: bytes.toString('utf8'), bytes }

/** Body and trailers of a message as they are logged. */
export function loggedContent({
  body,
  bytes,
  trailers,
}: MessageContent & { readonly trailers?: HeaderPairs }): Pick<ExchangeReply, 'body' | 'wire'> {
  const text = body === undefined ? {} : { body }
  if (!bytes) return trailers ? { ...text, ...wireWithTrailers(trailers) } : text
  const base64 = Buffer.from(bytes).toString('base64')
  return { ...text, wire: { base64, bytes: bytes.length, ...wireWithTrailers(trailers).wire } }
}

/** The bytes of a logged body that is no UTF-8. */
export const loggedBytes = ({ wire }: Pick<ExchangeReply, 'wire'>): Buffer | undefined =>
  wire?.base64 === undefined ? undefined : Buffer.from(wire.base64, 'base64')

export interface IncomingRequest {
  readonly method: string
  /** Path and query as in the request line. */
  readonly target: string
  readonly header: (name: string) => string | undefined
  /** All headers, as they came. */
  readonly headers: HeaderPairs
  /** The body as text; empty when there was none. */
  readonly body: string
  /** The body, where it is no UTF-8. */
  readonly bytes?: Uint8Array
  /** An operator sends it in place of its caller: no limit counts it, and what it changes is the operator's doing. */
  readonly byOperator?: true
}

export interface OutgoingReply {
  readonly status: number
  readonly headers: HeaderFields
  readonly body?: string
  /** The body, where it is no UTF-8. */
  readonly bytes?: Uint8Array
  /** Fields behind the body, which is chunked then. Sent over sockets only. */
  readonly trailers?: HeaderPairs
  /** The reply that is sent in place of this one, where it comes from elsewhere. Never rejects. */
  readonly later?: Promise<OutgoingReply>
  /** Affected entities that the path does not name: for the traffic log, never on the wire. */
  readonly about?: AffectedEntities
  /** The refusal that it is composed of: for the traffic log. */
  readonly refusal?: Pick<Refusal, 'code' | 'message' | 'unmet'>
  /** The request is probably a mistake, although it was accepted: for the traffic log, never on the wire. */
  readonly advice?: string
}

/** An outbound request. */
export interface OutboundRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The body, where it is no UTF-8. */
  readonly bytes?: Uint8Array
  /** Fields behind the body, which is chunked then. Sent over sockets only. */
  readonly trailers?: HeaderPairs
}

/** Statuses whose reply ends with its headers, whatever they say (RFC 9112, 6.3). */
export const bodilessStatuses: ReadonlySet<number | undefined> = new Set([204, 304])

export interface InboundReply {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string
  /** The body, where it is no UTF-8. */
  readonly bytes?: Uint8Array
  readonly trailers?: HeaderPairs
  /** A body was sent, or announced, with a status that has none, or more than the length said. */
  readonly hasStrayBody?: true
}

/** How a request is sent, where not at once, whole, and with a timeout on the wall clock. */
export interface SendOptions {
  /** The body is cut in the middle, or sent in pieces with a pause before each. */
  readonly body?: 'truncate' | { readonly pause: () => Promise<unknown> }
  /** Timer of an in-process timeout: resolves to true when the time is over, to false when `enough` aborts first. */
  readonly timeout?: ((ms: number, enough: AbortSignal) => Promise<boolean>) | undefined
  /** Called when the whole request has been written. */
  readonly onWritten?: () => void
}

/** Sends a request and resolves with the reply. Rejects with an Error that has a `code`. */
export type Transport = (request: OutboundRequest, sending?: SendOptions) => Promise<InboundReply>

/** Headers of a message with trailers. */
export const trailerHeaders = (trailers: HeaderPairs): Readonly<Record<string, string>> => ({
  'transfer-encoding': 'chunked',
  trailer: [...new Set(trailers.map(([name]) => name))].join(', '),
})

/** Headers that say how long the body of a request is. */
export function bodyHeaders(request: OutboundRequest): Readonly<Record<string, string | number>> {
  if (request.trailers) return trailerHeaders(request.trailers)
  const content = contentOf(request)
  return content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }
}

/** Sends trailers when the message ends, if it is chunked. */
export const addTrailers = (message: OutgoingMessage, trailers: HeaderPairs): void =>
  message.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))

/** Header pairs of node's flat list of raw headers. */
export function headerPairs(flat: readonly string[]): HeaderPairs {
  const list: [string, string][] = []
  for (let index = 0; index + 1 < flat.length; index += 2)
    list.push([flat[index] ?? '', flat[index + 1] ?? ''])
  return list
}

/**
 * The same for headers that stay in memory by the thousand: a client sends nearly the same ones each time, so pairs
 * equal to those of the last list with this count are reused.
 */
export function createHeaderPairCache(): (flat: readonly string[]) => HeaderPairs {
  /** The last list for each count of headers. */
  const lastByCount: HeaderPairs[] = []
  return (flat) => {
    const count = flat.length >> 1
    const last = lastByCount[count] ?? []
    let index = 0
    while (index < count && last[index]?.[0] === flat[2 * index]) {
      if (last[index]?.[1] !== flat[2 * index + 1]) break
      index++
    }
    if (index === count && last.length === count) return last
    const list: (readonly [string, string])[] = []
    for (let each = 0; each < count; each++) {
      const name = flat[2 * each] ?? ''
      const value = flat[2 * each + 1] ?? ''
      const before = last[each]
      list.push(before?.[0] === name && before[1] === value ? before : [name, value])
    }
    if (count < maxCachedCount) lastByCount[count] = list
    return list
  }
}

/** Lists of this many headers or more are not cached. */
const maxCachedCount = 64

/** A GET without a token is answered with public data and changes nothing. */
export const isPublicRead = ({ method, header, target }: IncomingRequest): boolean =>
  method === 'GET' && header('authorization') === undefined && !target.startsWith('/oauth/')
