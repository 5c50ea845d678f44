/**
 * One HTTP request and its reply or failure: the unit of traffic, shared by servers, clients, recordings and the
 * dashboard. Plain data.
 */
import { compact } from '../base/compact.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'

export interface Party {
  readonly role: Role
  /** Who runs this side: the user (subject), we, or a real partner. */
  readonly party: 'subject' | 'sparring' | 'partner'
}

/** Header names and values with the order, case and duplicates of the wire. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The value of a header by name, case-insensitive. */
export function headerValue(headers: HeaderPairs, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1]
}

/**
 * Some programs join repeated fields of a message by line ends, since no value holds one: a value of each. A line that begins with
 * a blank continues the one before it (RFC 9112, 5.2).
 */
export const fieldLines = (value: string): readonly string[] =>
  /[\r\n]/.test(value)
    ? value
        .replaceAll(/\r?\n[ \t]+/g, ' ')
        .split(/[\r\n]+/)
        .filter((line) => line !== '')
    : [value]

/** Facts about the bytes of a message that its headers and its decoded text do not hold. */
export interface Wire {
  /** The version of HTTP, when it is not 1.1. */
  readonly version?: '1.0'

  /** The content coding that was decoded: `gzip`, `br`, `deflate`, `zstd`. */
  readonly coding?: string
  /** Size in bytes on the wire, before decoding. */
  readonly bytes?: number
  /** SHA-256 of the bytes on the wire, in hexadecimal. */
  readonly sha256?: string
  /** The decoded body, when it is not lossless UTF-8; then `body` is absent, or only good for reading. */
  readonly base64?: string
  /** Fields behind a chunked body. */
  readonly trailers?: HeaderPairs
}

/** The member of a message that has trailers; nothing for one without. */
export const wireWithTrailers = (trailers: HeaderPairs | undefined): { readonly wire?: Wire } =>
  trailers === undefined ? {} : { wire: { trailers } }

type BodyMembers = { readonly body?: string; readonly wire?: Wire }

/** What of the wire a message that is sent again has: a body that is no text, and trailers. */
export function wireToResend({ wire }: BodyMembers): { readonly wire?: Wire } {
  const { base64, bytes, coding, trailers } = wire ?? {}
  if (base64 === undefined) return wireWithTrailers(trailers)
  return { wire: { ...compact({ bytes, coding }), base64, ...wireWithTrailers(trailers).wire } }
}

/** Whether the body is as it was on the wire although that was coded: nothing could undo its content coding. */
export const isStillCoded = ({ wire }: BodyMembers): boolean =>
  wire?.base64 !== undefined && wire.bytes !== undefined && wire.coding === undefined

/** How many bytes on the wire had a body that was not kept: redaction or a limit left it out. */
export const missingBytes = ({ body, wire }: BodyMembers): number =>
  body === undefined && wire?.base64 === undefined ? (wire?.bytes ?? 0) : 0

export interface ExchangeRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: HeaderPairs
  /** Decoded text; absent when there was no body. */
  readonly body?: string
  readonly wire?: Wire
}

export interface ExchangeReply {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body?: string
  readonly wire?: Wire
}

export const hasSucceeded = (reply: Pick<ExchangeReply, 'status'> | undefined): boolean =>
  statusClass(reply) === 2

/** The first digit of the status; 0 without a reply. */
export const statusClass = (reply: Pick<ExchangeReply, 'status'> | undefined): number =>
  Math.floor((reply?.status ?? 0) / 100)

/** The times of an exchange on the wall clock. */
export interface WallTimes {
  readonly startedAt: number
  readonly tookMs: number
  /** How fast the session's clock ran; absent where it was stepped or virtual. */
  readonly speed?: number
}

/** The span of an exchange in a session that is traced; ids are hexadecimal digits in lower case. */
export interface SpanIds {
  /** The side whose span it is: the receiver of the request is the server. */
  readonly kind: 'server' | 'client'
  /** 32 digits. */
  readonly traceId: string
  /** 16 digits. */
  readonly spanId: string
  readonly parentSpanId?: string
  /** Spans that led to it beside its parent: those of the events that a poll was answered with. */
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  /** Whether it is exported: the sampling decision of the service that began the trace. */
  readonly sampled: boolean
  /** As it came. */
  readonly tracestate?: string
}

export interface Exchange {
  /** Sequence number in the order in which requests began: from 1, without gaps. */
  readonly seq: number
  /**
   * Session time at the beginning of the request, as in events: milliseconds since 1970, with fractions. It is the wall
   * clock unless the session's clock was sped up, stepped, stopped or virtual.
   */
  readonly startedAt: number
  /** Session time that it took. */
  readonly tookMs: number
  /** Its times on the wall clock, where the session's clock is another one. */
  readonly wall?: WallTimes
  /** Milliseconds from the beginning to the end of the request; only where we observed the bytes. */
  readonly sentMs?: number
  /** Milliseconds from the beginning of the request to that of the reply; only where we observed the bytes. */
  readonly repliedMs?: number
  readonly from: Party
  readonly to: Party
  /** Operation of the catalogue; absent for a path that the protocol does not define. */
  readonly operation?: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly orderId?: string
  /** Ids of the events that it handed over or acknowledged. */
  readonly eventIds?: readonly string[]
  /** Attempt number of the same call, from 1. */
  readonly attempt?: number
  readonly request: ExchangeRequest
  readonly reply?: ExchangeReply
  /** Transport failure: there is no reply, or an incomplete one. */
  readonly failure?: { readonly code: string; readonly message: string }
  /** The injected fault and its target: `reset on req(confirmOrder,o2)`. */
  readonly fault?: string
  /**
   * No HTTP request came that could be parsed: method and path stand for none. It is not recorded, and no rule judges
   * it.
   */
  readonly unparsed?: true
  /**
   * The number of the exchange that an operator sent again with it, in place of its caller. It is not recorded, and not
   * judged.
   */
  readonly resendOf?: number
  /** Why it failed, and what to do; not recorded. */
  readonly reason?: string
  /** It succeeded and is probably a mistake of the user's service: which, and what to do; not recorded. */
  readonly advice?: string
  /** What an operator wrote about it. */
  readonly note?: string
  /** Its span, in a session that is traced; not recorded. */
  readonly trace?: SpanIds
}

/** The times of an exchange on the wall clock. */
export const wallTimesOf = ({
  startedAt,
  tookMs,
  wall,
}: Pick<Exchange, 'startedAt' | 'tookMs' | 'wall'>): WallTimes => wall ?? { startedAt, tookMs }

/** How long an exchange took on the wall clock, whatever the session's clock did meanwhile. */
export const wallDurationMs = ({ tookMs, wall }: Pick<Exchange, 'tookMs' | 'wall'>): number =>
  wall?.tookMs ?? tookMs

/** Characters of a URL and headers that any exchange may have; their memory is bounded by the number of exchanges. */
const typicalHeadChars = 2000

const charsOf = (pairs: HeaderPairs): number =>
  pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** Characters of both bodies and of an unusually long head: nearly all of the memory that an exchange takes. */
export function largeChars({
  request,
  reply,
  eventIds = [],
}: Pick<Exchange, 'request' | 'reply' | 'eventIds'>): number {
  const head =
    request.url.length +
    charsOf(request.headers) +
    (reply ? charsOf(reply.headers) : 0) +
    eventIds.reduce((sum, id) => sum + id.length, 0)
  return (
    (request.body?.length ?? 0) +
    (reply?.body?.length ?? 0) +
    (request.wire?.base64?.length ?? 0) +
    (reply?.wire?.base64?.length ?? 0) +
    Math.max(0, head - typicalHeadChars)
  )
}

/** When an exchange was over, in milliseconds since 1970. */
export const endOf = ({ startedAt, tookMs }: Pick<Exchange, 'startedAt' | 'tookMs'>): number =>
  startedAt + tookMs
