/**
 * Requests and replies as they stand in a line: redacted and written as JSON. Traffic repeats itself (the same order is
 * read again, the same token comes with every call), so every part is made once and then remembered, within bounds.
 */
import type { ExchangeReply, ExchangeRequest, HeaderPairs } from './exchange.ts'
import { createMemory, type Memory } from './generations.ts'
import { createHeaders, type HeadersPart } from './recording-headers.ts'
import { joined, redRows } from './recording-rows.ts'
import type { Where } from './recording-urls.ts'
import type { Redactor, Side } from './redaction/redactor.ts'

export interface MessagePart extends Pick<HeadersPart, 'requestId' | 'merchant'> {
  /** The members of the request behind its URL, or of the response behind its status. */
  readonly json: string
  readonly red: string
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
  about: string
}

export const noMessage = (): LastMessage => ({
  pairs: undefined,
  headers: undefined,
  text: undefined,
  about: '',
  json: '',
  red: '',
  requestId: undefined,
  merchant: undefined,
})

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

/** The members that tell about a body. `text` is a JSON string, `size` that of the body before it was redacted. */
type BodyJson = (type: string, size: number, text: string | undefined) => string

const bodyJson: Readonly<Record<Side, BodyJson>> = {
  request: (type, size, text) =>
    `"headersSize":-1,"bodySize":${size}` +
    (text === undefined ? '' : `,"postData":{"mimeType":${JSON.stringify(type)},"text":${text}}`),
  response: (type, size, text) =>
    `"content":{"size":${size},"mimeType":${JSON.stringify(type)}` +
    (text === undefined ? '}' : `,"text":${text}}`) +
    `,"redirectURL":"","headersSize":-1,"bodySize":${size}`,
}

interface BodyPart {
  /** Members of an object. */
  readonly json: string
  readonly red: string
}

interface KeptBody extends BodyPart {
  readonly type: string
  /** The same text may mean another thing under another path. */
  readonly about: string
}

/** Beyond Latin-1, memory holds two bytes for every letter of a text. */
const isWide = /[\u0100-\uFFFF]/

function createBodies(side: Side, redactor: Redactor | undefined) {
  const kept: Memory<KeptBody> = createMemory(bodiesKept[side])

  return (text: string, type: string, { url, about }: Where): BodyPart => {
    const before = kept.get(text)
    if (before && before.type === type && before.about === about) return before
    const redacted = redactor ? redactor.body(side, text, type, url) : { value: text, red: [] }
    const json = bodyJson[side](type, utf8Length(text), JSON.stringify(redacted.value))
    const part = { json, red: redRows(redacted.red), type, about }
    kept.set(text, part, (text.length + json.length) * (isWide.test(text) ? 2 : 1) + 200)
    return part
  }
}

const messageJson = (headers: string, body: string): string =>
  `"httpVersion":"HTTP/1.1","headers":[${headers}],${body}`

function createMessages(side: Side, redactor: Redactor | undefined) {
  const headersOf = createHeaders(side, redactor)
  const bodyOf = createBodies(side, redactor)

  return (
    { headers: pairs, body: text }: ExchangeRequest | ExchangeReply,
    where: Where,
    last: LastMessage,
  ): MessagePart => {
    const known = last.pairs === pairs ? last.headers : undefined
    if (known && last.text === text && last.about === where.about) return last
    const headers = known ?? headersOf(pairs)
    const { type } = headers
    const body = text === undefined ? undefined : bodyOf(text, type, where)
    last.pairs = pairs
    last.headers = headers
    last.text = text
    last.about = where.about
    last.json = messageJson(headers.json, body?.json ?? bodyJson[side](type, 0, undefined))
    last.red = joined(headers.red, body?.red ?? '')
    last.requestId = headers.requestId
    last.merchant = headers.merchant
    return last
  }
}

export const createParts = (redactor: Redactor | undefined): Parts => ({
  request: createMessages('request', redactor),
  response: createMessages('response', redactor),
})

/** Of a request that got no reply nobody saw a response. */
export const noReply: MessagePart = {
  json: messageJson('', bodyJson.response('x-unknown', 0, undefined)),
  red: '',
  requestId: undefined,
  merchant: undefined,
}
