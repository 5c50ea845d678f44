/**
 * Writes requests and replies as the JSON of a line, redacted. Traffic repeats itself (the same order is read again,
 * the same token comes with every call), so every part is written once and cached, within bounds.
 */
import type { ExchangeReply, ExchangeRequest, HeaderPairs, Wire } from '../exchange.ts'
import { createGenerationalCache, type GenerationalCache } from '../generational-cache.ts'
import { createHeadersWriter, type HeadersJson } from './headers-writer.ts'
import { joinMembers, redactionRows } from './json-members.ts'
import type { UrlContext } from './url-writer.ts'
import type { Redactor, RedactedSide } from '../redaction/redactor.ts'

export interface MessageJson extends Pick<HeadersJson, 'requestId' | 'merchant'> {
  /** Members of the request after its URL, or of the response after its status. */
  readonly json: string
  readonly red: string
  /** JSON object with facts about the bytes of the body, or empty. */
  readonly wire: string
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/**
 * The previous message of the same operation: the next one usually has its headers, and often its body. One mutable
 * object: thousands of short-lived ones would be promoted to the old generation and collected late, with the strings
 * they hold.
 */
export interface PreviousMessage extends Mutable<MessageJson> {
  pairs: HeaderPairs | undefined
  headers: HeadersJson | undefined
  text: string | undefined
  /** The message had `wire` facts besides its text. */
  hasWire: boolean
  about: string
}

export const createPreviousMessage = (): PreviousMessage => ({
  pairs: undefined,
  headers: undefined,
  text: undefined,
  hasWire: false,
  about: '',
  json: '',
  red: '',
  wire: '',
  requestId: undefined,
  merchant: undefined,
})

/** Stores a body in a file of its own; returns the file's name. */
export type StoreBlob = (body: { readonly text: string } | { readonly base64: string }) => string

export interface MessageWriterOptions {
  /** Absent for a raw recording. */
  readonly redactor?: Redactor | undefined
  /** Keeps binary bodies although the rest is redacted. */
  readonly keepBinary?: boolean | undefined
  /** Stores large and binary bodies; when absent, they stay in their lines. */
  readonly storeBlob?: StoreBlob | undefined
}

/** Bodies longer than this, in bytes, go to `storeBlob`, where there is one. */
export const maxInlineBytes = 64 * 1024

export interface MessageWriter {
  /** The result is valid until the next message of the same operation. */
  readonly request: (
    message: ExchangeRequest,
    where: UrlContext,
    last: PreviousMessage,
  ) => MessageJson
  readonly response: (
    message: ExchangeReply,
    where: UrlContext,
    last: PreviousMessage,
  ) => MessageJson
}

const bodyCacheBounds = {
  request: { entries: 2000, bytes: 4_000_000 },
  response: { entries: 4000, bytes: 16_000_000 },
} as const

/** Length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes++
    // A surrogate pair has two units and four bytes; every other unit from here on has three bytes.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes++
  }
  return bytes
}

/** Facts about a body, from which its members are written. */
interface BodyFacts {
  readonly type: string
  /** Bytes before redaction: decoded, and on the wire. */
  readonly size: number
  readonly onWire: number
  /** A JSON string; undefined when there is no body or it is stored as a blob. */
  readonly text: string | undefined
  readonly isBase64: boolean
}

/** Writes the members that describe a body. */
const bodyJson: Readonly<Record<RedactedSide, (facts: BodyFacts) => string>> = {
  request: ({ type, onWire, text, isBase64 }) =>
    `"headersSize":-1,"bodySize":${onWire}` +
    (text === undefined && !isBase64
      ? ''
      : `,"postData":{"mimeType":${JSON.stringify(type)}${textJson(text, isBase64)}}`),
  response: ({ type, size, onWire, text, isBase64 }) =>
    `"content":{"size":${size},"mimeType":${JSON.stringify(type)}${textJson(text, isBase64)}}` +
    `,"redirectURL":"","headersSize":-1,"bodySize":${onWire}`,
}

const textJson = (text: string | undefined, isBase64: boolean): string =>
  (text === undefined ? '' : `,"text":${text}`) + (isBase64 ? ',"encoding":"base64"' : '')

const noBody = (side: RedactedSide, type: string): string =>
  bodyJson[side]({ type, size: 0, onWire: 0, text: undefined, isBase64: false })

interface BodyPart {
  /** Members of an object, as JSON. */
  readonly json: string
  readonly red: string
  readonly wire: string
}

interface CachedBody extends BodyPart {
  readonly type: string
  /** The path context: the same text may be redacted differently under another path. */
  readonly about: string
}

/** Strings with characters beyond Latin-1 take two bytes per character in memory. */
const isWide = /[\u0100-\uFFFF]/

/** Number of bytes that a base64 text encodes. */
const base64Length = (text: string): number =>
  Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

interface WireFacts {
  readonly coding: Wire['coding'] | undefined
  readonly bytes: Wire['bytes'] | undefined
  readonly sha256?: Wire['sha256'] | undefined
  readonly blob?: string | undefined
  /** Length in bytes of a body that was left out. */
  readonly trunc?: number | undefined
}

function wireJson({ coding, bytes, sha256, blob, trunc }: WireFacts): string {
  // JSON.stringify leaves undefined members out.
  const json = JSON.stringify({ enc: coding, bytes, sha256, blob, trunc })
  return json === '{}' ? '' : json
}

const bodyPaths = { request: 'q.body', response: 'p.body' } as const

function createBodies(
  side: RedactedSide,
  { redactor, keepBinary, storeBlob: putBlob }: MessageWriterOptions,
) {
  const bodyCache: GenerationalCache<CachedBody> = createGenerationalCache(bodyCacheBounds[side])

  /** Redacts a text body, and stores it as a blob when it is long. */
  function formatBody(text: string, type: string, url: string, wire?: Wire): BodyPart {
    const redacted = redactor ? redactor.body(side, text, type, url) : { value: text, red: [] }
    const size = utf8Length(text)
    const isLong = putBlob !== undefined && utf8Length(redacted.value) > maxInlineBytes
    const blob = isLong
      ? putBlob({ text: redactor?.replaceKnown(redacted.value).value ?? redacted.value })
      : undefined
    const { coding, bytes, sha256 } = wire ?? {}
    return {
      json: bodyJson[side]({
        type,
        size,
        onWire: bytes ?? size,
        text: isLong ? undefined : JSON.stringify(redacted.value),
        isBase64: false,
      }),
      red: redactionRows(redacted.red),
      // The hash of a redacted text would confirm a guess at the original.
      wire: wireJson({ coding, bytes, sha256: redacted.red.length > 0 ? undefined : sha256, blob }),
    }
  }

  function plain(body: string, type: string, { url, about }: UrlContext): BodyPart {
    const before = bodyCache.get(body)
    if (before && before.type === type && before.about === about) return before
    const part = { ...formatBody(body, type, url), type, about }
    bodyCache.set(body, part, (body.length + part.json.length) * (isWide.test(body) ? 2 : 1) + 200)
    return part
  }

  /** A body with `wire` facts, or a binary one. */
  function exact(
    body: string | undefined,
    wire: Wire,
    type: string,
    { url }: UrlContext,
  ): BodyPart {
    if (body !== undefined) return formatBody(body, type, url, wire)
    const { coding, bytes, sha256, base64 } = wire
    if (base64 === undefined) {
      const json = bodyJson[side]({
        type,
        size: 0,
        onWire: bytes ?? 0,
        text: undefined,
        isBase64: false,
      })
      return { json, red: '', wire: wireJson({ coding, bytes, sha256 }) }
    }
    const size = base64Length(base64)
    const facts = { type, size, onWire: bytes ?? size }
    if (redactor && keepBinary !== true)
      return {
        json: bodyJson[side]({ ...facts, text: undefined, isBase64: false }),
        red: redactionRows([{ p: bodyPaths[side], c: 'binary' }]),
        wire: wireJson({ coding, bytes, trunc: size }),
      }
    const blob = putBlob?.({ base64 })
    return {
      json: bodyJson[side]({
        ...facts,
        text: blob === undefined ? JSON.stringify(base64) : undefined,
        isBase64: true,
      }),
      red: '',
      wire: wireJson({ coding, bytes, sha256, blob }),
    }
  }

  return { plain, exact }
}

const messageJson = (headers: string, body: string, version = '1.1'): string =>
  `"httpVersion":"HTTP/${version}","headers":[${headers}],${body}`

/** Adds trailers to the JSON object with facts about a body, which may be empty. */
const withTrailers = (wire: string, trailers: string): string =>
  `${wire === '' ? '{' : `${wire.slice(0, -1)},`}"trailers":[${trailers}]}`

function createMessages(side: RedactedSide, options: MessageWriterOptions) {
  const headersOf = createHeadersWriter(side, options.redactor)
  const bodies = createBodies(side, options)
  const trailersOf = createHeadersWriter(side, options.redactor, 'trailers')

  return (
    { headers: pairs, body: text, wire }: ExchangeRequest | ExchangeReply,
    place: UrlContext,
    last: PreviousMessage,
  ): MessageJson => {
    const known = last.pairs === pairs ? last.headers : undefined
    if (known && last.text === text && last.about === place.about && !wire && !last.hasWire)
      return last
    const headers = known ?? headersOf(pairs)
    const { type } = headers
    const body = wire
      ? bodies.exact(text, wire, type, place)
      : text === undefined
        ? undefined
        : bodies.plain(text, type, place)
    last.pairs = pairs
    last.headers = headers
    last.text = text
    last.hasWire = wire !== undefined
    last.about = place.about
    last.json = messageJson(headers.json, body?.json ?? noBody(side, type), wire?.version)
    last.red = joinMembers(headers.red, body?.red ?? '')
    last.wire = body?.wire ?? ''
    if (wire?.trailers) {
      const trailers = trailersOf(wire.trailers)
      last.wire = withTrailers(last.wire, trailers.json)
      last.red = joinMembers(last.red, trailers.red)
    }
    last.requestId = headers.requestId
    last.merchant = headers.merchant
    return last
  }
}

export const createMessageWriter = (options: MessageWriterOptions): MessageWriter => ({
  request: createMessages('request', options),
  response: createMessages('response', options),
})

/** The response members of a request without a reply. */
export const noReplyJson: MessageJson = {
  json: messageJson('', noBody('response', 'x-unknown')),
  red: '',
  wire: '',
  requestId: undefined,
  merchant: undefined,
}
