/**
 * Parses an HTTP/1.1 message: start line, headers, body with chunks joined. Truncated messages are read as far as
 * possible.
 */
import { compact } from '../../core/base/compact.ts'
import { type HeaderPairs, headerValue, type Wire } from '../../core/traffic/exchange.ts'
import { bytesToBase64 } from '../../core/traffic/redaction/base64.ts'
import { joinedBytes } from './byte-queue.ts'
import type { ContentDecoder } from './format.ts'

/** Encodes multipart/form-data. The boundary is constant, so that repeated imports are identical. */
export interface FormPart {
  readonly name: string
  readonly value: string
  readonly fileName?: string
  readonly type?: string
}

const boundary = '------------------------sparring0a1b2c3d4e5f'

export const multipartContentType = `multipart/form-data; boundary=${boundary}`

const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const partOf = ({ name, value, fileName, type }: FormPart): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"` +
  (fileName === undefined ? '' : `; filename="${quoted(fileName)}"`) +
  (type === undefined ? '' : `\r\nContent-Type: ${type}`) +
  `\r\n\r\n${value}\r\n`

export const encodeMultipart = (parts: readonly FormPart[]): string =>
  `${parts.map(partOf).join('')}--${boundary}--\r\n`

/** The body of an imported message: text, or bytes with a warning. */
interface ForeignBody {
  readonly text?: string
  readonly wire?: Wire
  readonly warn?: string
}

/** No sender applies more. */
export const maxCodings = 4

/** The content codings of a message, in the order in which they were applied. */
export const contentCodings = (headers: HeaderPairs): readonly string[] =>
  (headerValue(headers, 'content-encoding') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity')

const knownCodings: ReadonlySet<string> = new Set([
  'gzip',
  'x-gzip',
  'deflate',
  'br',
  'zstd',
  'compress',
])

/** Warnings never quote file content: a header may contain secrets, and warnings are not redacted. */
const namesOf = (codings: readonly string[]): string =>
  codings.every((each) => knownCodings.has(each)) ? codings.join(', ') : 'coded'

/** Content codings are removed in reverse order of application. */
function removeCodings(bytes: Uint8Array, codings: readonly string[], decode?: ContentDecoder) {
  let current: Uint8Array | undefined = bytes
  for (const coding of codings.toReversed()) current = current && decode?.(coding, current)
  return current
}

export function decodeForeignBody(
  bytes: Uint8Array,
  headers: HeaderPairs,
  decode?: ContentDecoder,
): ForeignBody {
  if (bytes.length === 0) return {}
  const codings = contentCodings(headers).slice(0, maxCodings)
  const decoded = codings.length === 0 ? bytes : removeCodings(bytes, codings, decode)
  // Some recorders keep the Content-Encoding header but store the decoded body.
  const text = decodeText(decoded ?? bytes)
  if (text !== undefined)
    return decoded
      ? { text }
      : { text, warn: `the body is not ${namesOf(codings)}, as its header says` }
  const base64 = bytesToBase64(decoded ?? bytes)
  // Where no coding could be undone the bytes are those of the wire.
  const facts = decoded ? { coding: codings.join(', ') || undefined } : { bytes: bytes.length }
  return {
    wire: { base64, ...compact(facts) },
    warn: decoded
      ? `a body of ${bytes.length} bytes is no text`
      : `a body of ${bytes.length} bytes claims to be ${namesOf(codings)} and could not be read`,
  }
}

export interface ForeignMessage {
  readonly headers: HeaderPairs
  readonly body?: string
  readonly wire?: Wire
  readonly warn: readonly string[]
}

/** A message of which headers and body are known; `side` is said before what its reader has to know. */
export function foreignMessage(
  bytes: Uint8Array,
  headers: HeaderPairs,
  side: string,
  decode?: ContentDecoder,
): ForeignMessage {
  const { text, wire, warn } = decodeForeignBody(bytes, headers, decode)
  return {
    headers,
    ...compact({ body: text, wire }),
    warn: warn === undefined ? [] : [`${side}: ${warn}`],
  }
}

/** Strict UTF-8, byte order mark kept; undefined for binary data (invalid UTF-8 or a zero byte). */
function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export interface HttpMessage {
  /** `GET /v2/orders HTTP/1.1` or `HTTP/1.1 200 OK`. */
  readonly first: string
  readonly headers: HeaderPairs
  readonly body: Uint8Array
  readonly warn?: string
}

const carriageReturn = 13
const lineFeed = 10
const maxHeaders = 2000

const latin1 = new TextDecoder('latin1')

/** End of a line and start of the next; both the length when there is no line feed. */
function lineEnd(bytes: Uint8Array, from: number): { readonly end: number; readonly next: number } {
  const found = bytes.indexOf(lineFeed, from)
  if (found < 0) return { end: bytes.length, next: bytes.length }
  return { end: bytes[found - 1] === carriageReturn ? found - 1 : found, next: found + 1 }
}

/** Joins chunks; a chunk size beyond the data ends the body at the last byte. */
function dechunked(bytes: Uint8Array): { readonly body: Uint8Array; readonly whole: boolean } {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const { end, next } = lineEnd(bytes, at)
    const size = /^\s*([\da-f]{1,8})\s*(?:;|$)/i.exec(latin1.decode(bytes.subarray(at, end)))?.[1]
    if (size === undefined) return { body: joinedBytes(pieces), whole: false }
    const length = Number.parseInt(size, 16)
    if (length === 0) return { body: joinedBytes(pieces), whole: true }
    pieces.push(bytes.subarray(next, next + length))
    if (next + length > bytes.length) return { body: joinedBytes(pieces), whole: false }
    at = lineEnd(bytes, next + length).next
  }
  return { body: joinedBytes(pieces), whole: false }
}

/** The body of a message, with chunks joined. */
export function bodyOfMessage(
  bytes: Uint8Array,
  headers: HeaderPairs,
): Pick<HttpMessage, 'body' | 'warn'> {
  if (/\bchunked\b/i.test(headerValue(headers, 'transfer-encoding') ?? '')) {
    const { body, whole } = dechunked(bytes)
    return whole ? { body } : { body, warn: 'the chunks of the body break off' }
  }
  const declared = Number(headerValue(headers, 'content-length') ?? Number.NaN)
  if (!Number.isInteger(declared) || declared < 0) return { body: bytes }
  if (declared > bytes.length)
    return { body: bytes, warn: `the body has ${bytes.length} of its ${declared} bytes` }
  return { body: bytes.subarray(0, declared) }
}

export function parseHttpMessage(bytes: Uint8Array): HttpMessage {
  let { end, next } = lineEnd(bytes, 0)
  const first = latin1.decode(bytes.subarray(0, end))
  const headers: (readonly [string, string])[] = []
  while (next < bytes.length && headers.length < maxHeaders) {
    const from = next
    ;({ end, next } = lineEnd(bytes, from))
    const line = latin1.decode(bytes.subarray(from, end))
    if (line === '') break
    const cut = line.indexOf(':')
    if (cut > 0) headers.push([line.slice(0, cut), line.slice(cut + 1).trim()])
  }
  return { first, headers, ...bodyOfMessage(bytes.subarray(next), headers) }
}
