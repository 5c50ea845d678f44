/**
 * Parses an HTTP/1.1 message: start line, headers, body with chunks joined. Truncated messages are read as far as
 * possible.
 */
import { type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import { joinedBytes } from './byte-queue.ts'

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
