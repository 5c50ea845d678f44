/**
 * Requests and replies as they stand in a line: redacted and written as JSON. Traffic repeats itself (the same order is
 * read again, the same token comes with every call), so every part is made once and then remembered, within bounds.
 */
import type { ExchangeReply, ExchangeRequest, HeaderPairs, Wire } from '../exchange.ts'
import { createMemory, type Memory } from '../generational-cache.ts'
import { createHeaders, type HeadersPart } from './headers.ts'
import { joined, redRows } from './rows.ts'
import type { Where } from './urls.ts'
import type { Redactor, Side } from '../redaction/redactor.ts'

export interface MessagePart extends Pick<HeadersPart, 'requestId' | 'merchant'> {
  /** The members of the request behind its URL, or of the response behind its status. */
  readonly json: string
  readonly red: string
  /** What the text of the body does not tell about its bytes: a JSON object, or empty. */
  readonly wire: string
}

type Changing<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/**
 * The message before of the same operation: the next one mostly has its headers, and often its body. One object that
 * changes, since thousands that each replace another would grow old, and be collected late with the texts they hold.
 */
export interface LastMessage extends Changing<MessagePart> {
  pairs: HeaderPairs | undefined
  headers: HeadersPart | undefined
  text: string | undefined
  /** It said more of its body than the text. */
  exact: boolean
  about: string
}

export const noMessage = (): LastMessage => ({
  pairs: undefined,
  headers: undefined,
  text: undefined,
  exact: false,
  about: '',
  json: '',
  red: '',
  wire: '',
  requestId: undefined,
  merchant: undefined,
})

/** Takes a body that is to lie in a file of its own; answers the name of that. */
export type PutBlob = (body: { readonly text: string } | { readonly base64: string }) => string

export interface PartsOptions {
  /** None when the recording is to be raw. */
  readonly redactor?: Redactor | undefined
  /** Bodies that cannot be looked into are kept although the rest is redacted. */
  readonly keepBinary?: boolean | undefined
  /** Where large bodies and those that are no text go; without it they stay in their lines. */
  readonly putBlob?: PutBlob | undefined
}

/** A body of more than so many bytes lies in a file of its own, where there is a place for such files. */
export const blobBytes = 64 * 1024

export interface Parts {
  /** What is answered is good until the next message of the same operation. */
  readonly request: (message: ExchangeRequest, where: Where, last: LastMessage) => MessagePart
  readonly response: (message: ExchangeReply, where: Where, last: LastMessage) => MessagePart
}

const bodiesKept = {
  request: { entries: 2000, bytes: 4_000_000 },
  response: { entries: 4000, bytes: 16_000_000 },
} as const

/** How many bytes a text is in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes++
    // A pair of surrogates is two units and four bytes; every other unit from here on has three.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes++
  }
  return bytes
}

/** What is known of a body before its members are written. */
interface BodyFacts {
  readonly type: string
  /** Bytes that it had before it was redacted: with its coding undone, and on the wire. */
  readonly size: number
  readonly onWire: number
  /** A JSON string; undefined when there is no body, or it lies elsewhere. */
  readonly text: string | undefined
  readonly isBase64: boolean
}

/** The members that tell about a body. */
const bodyJson: Readonly<Record<Side, (facts: BodyFacts) => string>> = {
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

const noBody = (side: Side, type: string): string =>
  bodyJson[side]({ type, size: 0, onWire: 0, text: undefined, isBase64: false })

interface BodyPart {
  /** Members of an object. */
  readonly json: string
  readonly red: string
  readonly wire: string
}

interface KeptBody extends BodyPart {
  readonly type: string
  /** The same text may mean another thing under another path. */
  readonly about: string
}

/** Beyond Latin-1, memory holds two bytes for every letter of a text. */
const isWide = /[\u0100-\uFFFF]/

/** How many bytes stand in a base64 text. */
const base64Length = (text: string): number =>
  Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

interface WireFacts {
  readonly coding: Wire['coding'] | undefined
  readonly bytes: Wire['bytes'] | undefined
  readonly sha256?: Wire['sha256'] | undefined
  readonly blob?: string | undefined
  /** The length of a body that is left out. */
  readonly trunc?: number | undefined
}

function wireJson({ coding, bytes, sha256, blob, trunc }: WireFacts): string {
  // Members that are undefined are left out.
  const json = JSON.stringify({ enc: coding, bytes, sha256, blob, trunc })
  return json === '{}' ? '' : json
}

const where = { request: 'q.body', response: 'p.body' } as const

function createBodies(side: Side, { redactor, keepBinary, putBlob }: PartsOptions) {
  const kept: Memory<KeptBody> = createMemory(bodiesKept[side])

  /** A text: redacted, and put elsewhere when it is long. */
  function make(text: string, type: string, url: string, wire?: Wire): BodyPart {
    const redacted = redactor ? redactor.body(side, text, type, url) : { value: text, red: [] }
    const size = utf8Length(text)
    const isLong = putBlob !== undefined && utf8Length(redacted.value) > blobBytes
    const blob = isLong ? putBlob({ text: redacted.value }) : undefined
    const { coding, bytes, sha256 } = wire ?? {}
    return {
      json: bodyJson[side]({
        type,
        size,
        onWire: bytes ?? size,
        text: isLong ? undefined : JSON.stringify(redacted.value),
        isBase64: false,
      }),
      red: redRows(redacted.red),
      // The hash of what was redacted would tell it to whoever can guess.
      wire: wireJson({ coding, bytes, sha256: redacted.red.length > 0 ? undefined : sha256, blob }),
    }
  }

  function plain(body: string, type: string, { url, about }: Where): BodyPart {
    const before = kept.get(body)
    if (before && before.type === type && before.about === about) return before
    const part = { ...make(body, type, url), type, about }
    kept.set(body, part, (body.length + part.json.length) * (isWide.test(body) ? 2 : 1) + 200)
    return part
  }

  /** A body of which more is known than its text, or that is none. */
  function exact(body: string | undefined, wire: Wire, type: string, { url }: Where): BodyPart {
    if (body !== undefined) return make(body, type, url, wire)
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
        red: redRows([{ p: where[side], c: 'binary' }]),
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

const messageJson = (headers: string, body: string): string =>
  `"httpVersion":"HTTP/1.1","headers":[${headers}],${body}`

function createMessages(side: Side, options: PartsOptions) {
  const headersOf = createHeaders(side, options.redactor)
  const bodies = createBodies(side, options)

  return (
    { headers: pairs, body: text, wire }: ExchangeRequest | ExchangeReply,
    place: Where,
    last: LastMessage,
  ): MessagePart => {
    const known = last.pairs === pairs ? last.headers : undefined
    if (known && last.text === text && last.about === place.about && !wire && !last.exact)
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
    last.exact = wire !== undefined
    last.about = place.about
    last.json = messageJson(headers.json, body?.json ?? noBody(side, type))
    last.red = joined(headers.red, body?.red ?? '')
    last.wire = body?.wire ?? ''
    last.requestId = headers.requestId
    last.merchant = headers.merchant
    return last
  }
}

export const createParts = (options: PartsOptions): Parts => ({
  request: createMessages('request', options),
  response: createMessages('response', options),
})

/** Of a request that got no reply nobody saw a response. */
export const noReply: MessagePart = {
  json: messageJson('', noBody('response', 'x-unknown')),
  red: '',
  wire: '',
  requestId: undefined,
  merchant: undefined,
}
