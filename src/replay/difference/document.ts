/** A request or a reply as one JSON document: the input of rules and of the comparison. */
import type { Exchange, ExchangeReply, HeaderPairs } from '../../core/traffic/exchange.ts'
import { parseExactJson } from '../../core/traffic/json/lossless-json.ts'
import { memoise } from '../../core/traffic/memoise.ts'
import { signatureHeaders } from '../../core/protocol/signature.ts'

export type DocumentSide = 'request' | 'reply'

export interface MessageDocument {
  readonly [part: string]: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

const contentTypeOf = (headers: Readonly<Record<string, string>>): string =>
  headers['content-type'] ?? ''

/** Fields of a form or a query; a repeated name gives a list. */
function fieldsOf(text: string): Readonly<Record<string, string | readonly string[]>> {
  // A Map, since a field may be called `__proto__`.
  const fields = new Map<string, string | readonly string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(fields)
}

/** The body of a message: its bytes where they are no text. */
const contentMember = (
  { body, wire }: Pick<ExchangeReply, 'body' | 'wire'>,
  type: string,
): { readonly body?: unknown } =>
  wire?.base64 === undefined ? bodyMember(body, type) : { body: { base64: wire.base64 } }

/** A body parsed as JSON or as form fields, else as text. */
export function bodyMember(text: string | undefined, type: string): { readonly body?: unknown } {
  if (text === undefined || text === '') return {}
  if (type.includes('x-www-form-urlencoded')) return { body: fieldsOf(text) }
  const isJson = type.includes('json') || /^\s*[[{]/.test(text)
  const parsed = isJson ? parseExactJson(text, Number.POSITIVE_INFINITY) : undefined
  return { body: parsed ? parsed.value : text }
}

/** Path and query of a URL, without the host, which differs from run to run. */
function targetOf({ url }: Exchange['request']): {
  readonly path: string
  readonly query: string
} {
  const bare = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/, '')
  const at = bare.indexOf('?')
  return at < 0 ? { path: bare, query: '' } : { path: bare.slice(0, at), query: bare.slice(at + 1) }
}

/**
 * For a known operation `path` holds the path parameters, so that another path prefix makes no difference. `bare`
 * leaves the body out.
 */
export function requestDocument(
  { request, operation, params }: Exchange,
  bare = false,
): MessageDocument {
  const headers = comparedHeaders(request.headers)
  const { path, query } = targetOf(request)
  return {
    method: request.method.toUpperCase(),
    path: operation === undefined ? path : (params ?? {}),
    query: query === '' ? {} : fieldsOf(query),
    headers,
    ...(bare ? {} : contentMember(request, contentTypeOf(headers))),
  }
}

/** A missing reply has status 0. */
export function replyDocument({ reply }: Exchange, bare = false): MessageDocument {
  if (!reply) return { status: 0, headers: {} }
  const headers = comparedHeaders(reply.headers)
  return {
    status: reply.status,
    headers,
    ...(bare ? {} : contentMember(reply, contentTypeOf(headers))),
  }
}

/**
 * The headers that are compared. An allow list, since every server adds its own, and dates differ legitimately. Of a token
 * only its scheme is compared, of a signature only that there is one.
 */
export const comparedHeaderNames = [
  'allow',
  'authorization',
  'cache-control',
  'content-language',
  'content-type',
  'idempotency-key',
  'location',
  'retry-after',
  'www-authenticate',
  'x-idempotency-key',
  'x-request-id',
  ...signatureHeaders,
] as const
const compared: ReadonlySet<string> = new Set(comparedHeaderNames)

/** A protocol header is compared, unless its value is generated for each message. */
const isProtocol = (name: string): boolean =>
  name.startsWith('x-app-') && !/signature|token|secret|key|timestamp|nonce|date/.test(name)

/** From a header name as received to the compared name; empty for a header that is not compared. */
const comparedName = memoise(2000, (receivedName) => {
  const name = receivedName.toLowerCase()
  return compared.has(name) || isProtocol(name) ? name : ''
})

/** Content type without `charset=utf-8`, which is the default of JSON. */
const normalisedType = (value: string): string =>
  value
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
    .filter((part, index) => index === 0 || !/^charset="?utf-8"?$/.test(part))
    .join('; ')

/** What of a header's value is compared. */
function comparedValue(name: string, value: string): string {
  if (name === 'content-type') return normalisedType(value)
  if (name === 'authorization') return /^(\S+)\s+\S/.exec(value)?.[1]?.toLowerCase() ?? 'no scheme'
  return signatureHeaders.includes(name) ? 'present' : value.trim()
}

/** The compared headers of a message: names in lower case, repeated headers joined by commas. */
function comparedHeaders(pairs: HeaderPairs): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [receivedName, value] of pairs) {
    const name = comparedName(receivedName)
    if (name === '') continue
    const text = comparedValue(name, value)
    headers[name] = headers[name] === undefined ? text : `${headers[name]}, ${text}`
  }
  return headers
}
