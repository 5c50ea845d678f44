/**
 * Writes requests and replies as the JSON of a line, redacted. Headers repeat themselves (the same token comes with every
 * call), so each is written once and cached, within bounds; bodies seldom do.
 */
import type { ExchangeReply, ExchangeRequest, HeaderPairs, Wire } from '../exchange.ts'
import type { RedactedSide, Redaction, Redactor } from '../redaction/redactor.ts'
import { needsNoRedaction } from '../redaction/fast-path.ts'
import { headerKind } from '../redaction/headers.ts'

// Writes headers as the JSON of a line: redacted, with order and duplicates kept. Most messages
// repeat the same few headers, so each is written once and cached.

/** Headers whose value is used elsewhere in the line. */
type HeaderUse = 'type' | 'request' | 'merchant'

const uses: ReadonlyMap<string, HeaderUse> = new Map([
  ['content-type', 'type'],
  ['idempotency-key', 'request'],
  ['x-idempotency-key', 'request'],
  ['x-request-id', 'request'],
  ['x-app-merchantid', 'merchant'],
])

interface HeaderPart {
  readonly json: string
  readonly red: readonly Redaction[]
  /** The redacted value, for every other place that has it. */
  readonly value: string
}

interface HeaderName {
  readonly prefix: string
  readonly use: HeaderUse | undefined
  readonly isPlain: boolean
  readonly values: Map<string, HeaderPart>
}

const maxNames = 400
const maxValues = 200
const maxCachedLength = 4096
const nothing: readonly Redaction[] = []

interface HeadersJson {
  readonly json: string
  readonly red: readonly Redaction[]
  readonly type: string
  readonly requestId: string | undefined
  readonly merchant: string | undefined
}

function createHeadersWriter(side: RedactedSide, redactor: Redactor | undefined) {
  const names = new Map<string, HeaderName>()

  function nameOf(name: string): HeaderName {
    const before = names.get(name)
    if (before) return before
    if (names.size >= maxNames) names.clear()
    const fresh: HeaderName = {
      prefix: `{"name":${JSON.stringify(name)},"value":`,
      use: uses.get(name.toLowerCase()),
      isPlain: headerKind(name) === 'plain',
      values: new Map(),
    }
    names.set(name, fresh)
    return fresh
  }

  function formatHeader(
    { isPlain, prefix }: HeaderName,
    name: string,
    original: string,
  ): HeaderPart {
    const { value, red } =
      !redactor || (isPlain && needsNoRedaction(original))
        ? { value: original, red: nothing }
        : redactor.header(side, name, original)
    return { json: `${prefix}${JSON.stringify(value)}}`, red, value }
  }

  function partOf(header: HeaderName, name: string, value: string): HeaderPart {
    const before = header.values.get(value)
    if (before) return before
    const fresh = formatHeader(header, name, value)
    // Request ids are unique: caching them would only evict other values.
    if (header.use === 'request' || value.length > maxCachedLength) return fresh
    if (header.values.size >= maxValues) header.values.clear()
    header.values.set(value, fresh)
    return fresh
  }

  return (pairs: HeaderPairs): HeadersJson => {
    let json = ''
    let red = nothing
    let type = ''
    let requestId: string | undefined
    let merchant: string | undefined
    for (const [name, value] of pairs) {
      const header = nameOf(name)
      const part = partOf(header, name, value)
      json = json === '' ? part.json : `${json},${part.json}`
      if (part.red.length > 0) red = [...red, ...part.red]
      if (header.use === 'type') type ||= value
      else if (header.use === 'request') requestId ??= part.value
      else if (header.use === 'merchant') merchant ??= part.value
    }
    return { json, red, type, requestId, merchant }
  }
}

/** Facts about the bytes of a body, as in the member `wire` of a line; JSON leaves undefined ones out. */
interface WireFacts {
  readonly enc?: string | undefined
  readonly bytes?: number | undefined
  readonly sha256?: string | undefined
  readonly blob?: string | undefined
  /** Length in bytes of a body that was left out. */
  readonly trunc?: number | undefined
  readonly trailers?: readonly { readonly name: string; readonly value: string }[] | undefined
}

interface BodyPart {
  /** Members of an object, as JSON. */
  readonly json: string
  readonly red: readonly Redaction[]
  readonly wire: WireFacts | undefined
}

/** The members of a request after its URL, or of a response after its status. */
export interface MessageJson extends BodyPart, Pick<HeadersJson, 'requestId' | 'merchant'> {}

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
  readonly request: (message: ExchangeRequest, url: string) => MessageJson
  readonly response: (message: ExchangeReply, url: string) => MessageJson
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

const noBody = (side: RedactedSide, type: string): BodyPart => ({
  json: bodyJson[side]({ type, size: 0, onWire: 0, text: undefined, isBase64: false }),
  red: [],
  wire: undefined,
})

/** Number of bytes that a base64 text encodes. */
const base64Length = (text: string): number =>
  Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)

const withoutNothing = (facts: WireFacts): WireFacts | undefined =>
  Object.values(facts).some((fact) => fact !== undefined) ? facts : undefined

const bodyPaths = { request: 'q.body', response: 'p.body' } as const

function createBodies(
  side: RedactedSide,
  { redactor, keepBinary, storeBlob: putBlob }: MessageWriterOptions,
) {
  /** Redacts a text body, and stores it as a blob when it is long. */
  function formatBody(text: string, type: string, url: string, wire?: Wire): BodyPart {
    const redacted = redactor ? redactor.body(side, text, type, url) : { value: text, red: [] }
    const size = Buffer.byteLength(text)
    const isLong = putBlob !== undefined && Buffer.byteLength(redacted.value) > maxInlineBytes
    const blob = isLong
      ? putBlob({ text: redactor?.replaceKnown(redacted.value).value ?? redacted.value })
      : undefined
    const { coding: enc, bytes, sha256 } = wire ?? {}
    return {
      json: bodyJson[side]({
        type,
        size,
        onWire: bytes ?? size,
        text: isLong ? undefined : JSON.stringify(redacted.value),
        isBase64: false,
      }),
      red: redacted.red,
      // The hash of a redacted text would confirm a guess at the original.
      wire: withoutNothing({
        enc,
        bytes,
        sha256: redacted.red.length > 0 ? undefined : sha256,
        blob,
      }),
    }
  }

  /** A body with `wire` facts, or a binary one. */
  function exact(body: string | undefined, wire: Wire, type: string, url: string): BodyPart {
    const { coding: enc, bytes, sha256, base64 } = wire
    // What can be read of a body that is no text can be redacted; its bytes cannot.
    const isReadable = base64 === undefined || (redactor !== undefined && keepBinary !== true)
    if (body !== undefined && isReadable) return formatBody(body, type, url, wire)
    if (base64 === undefined) {
      const json = bodyJson[side]({
        type,
        size: 0,
        onWire: bytes ?? 0,
        text: undefined,
        isBase64: false,
      })
      return { json, red: [], wire: withoutNothing({ enc, bytes, sha256 }) }
    }
    const size = base64Length(base64)
    const facts = { type, size, onWire: bytes ?? size }
    if (redactor && keepBinary !== true)
      return {
        json: bodyJson[side]({ ...facts, text: undefined, isBase64: false }),
        red: [{ p: bodyPaths[side], c: 'binary' }],
        wire: { enc, bytes, trunc: size },
      }
    const blob = putBlob?.({ base64 })
    return {
      json: bodyJson[side]({
        ...facts,
        text: blob === undefined ? JSON.stringify(base64) : undefined,
        isBase64: true,
      }),
      red: [],
      wire: withoutNothing({ enc, bytes, sha256, blob }),
    }
  }

  return { plain: formatBody, exact }
}

const messageJson = (headers: string, body: string, version = '1.1'): string =>
  `"httpVersion":"HTTP/${version}","headers":[${headers}],${body}`

function createMessages(side: RedactedSide, options: MessageWriterOptions) {
  const { redactor } = options
  const headersOf = createHeadersWriter(side, redactor)
  const bodies = createBodies(side, options)

  return (
    { headers: pairs, body: text, wire }: ExchangeRequest | ExchangeReply,
    url: string,
  ): MessageJson => {
    const { json, red, type, requestId, merchant } = headersOf(pairs)
    const body = wire
      ? bodies.exact(text, wire, type, url)
      : text === undefined
        ? noBody(side, type)
        : bodies.plain(text, type, url)
    const trailers = wire?.trailers?.map(([name, value]) => ({
      name,
      ...(redactor?.header(side, name, value, 'trailers') ?? { value, red: [] }),
    }))
    return {
      json: messageJson(json, body.json, wire?.version),
      red: red.concat(body.red, trailers?.flatMap((each) => each.red) ?? []),
      wire: trailers
        ? { ...body.wire, trailers: trailers.map(({ name, value }) => ({ name, value })) }
        : body.wire,
      requestId,
      merchant,
    }
  }
}

export const createMessageWriter = (options: MessageWriterOptions): MessageWriter => ({
  request: createMessages('request', options),
  response: createMessages('response', options),
})

/** The response members of a request without a reply. */
export const noReplyJson: MessageJson = {
  ...noBody('response', 'x-unknown'),
  json: messageJson('', noBody('response', 'x-unknown').json),
  requestId: undefined,
  merchant: undefined,
}
