/** Start lines and body lengths of HTTP/1.x messages (RFC 9112, sections 3, 4 and 6). */
import type { HeaderPairs } from '../../core/traffic/exchange.ts'
import type { Framing } from './message-parser.ts'

export interface RequestLine {
  readonly method: string
  readonly target: string
  /** `1.1` */
  readonly version: string
}

export interface StatusLine {
  readonly status: number
  readonly version: string
}

/** The target is all between the first and the last blank: some clients do not encode it. */
export function parseRequestLine(line: string): RequestLine | undefined {
  const first = line.indexOf(' ')
  const last = line.lastIndexOf(' ')
  const target = line.slice(first + 1, last).trim()
  const version = /^HTTP\/(\d\.\d)$/.exec(line.slice(last + 1))?.[1]
  if (first < 1 || target === '' || version === undefined) return undefined
  return { method: line.slice(0, first), target, version }
}

export function parseStatusLine(line: string): StatusLine | undefined {
  const [, version, status] = /^HTTP\/(1\.\d) (\d{3})(?: .*)?$/.exec(line) ?? []
  return version === undefined ? undefined : { version, status: Number(status) }
}

/** Members of a header that is a comma-separated list, over all its lines, in lower case. */
export const listedValues = (headers: HeaderPairs, name: string): readonly string[] =>
  headers
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((each) => each.trim())

/** Undefined when the length is unknown: what follows is no message. */
export function requestFraming(headers: HeaderPairs): Framing | undefined {
  const codings = listedValues(headers, 'transfer-encoding')
  if (codings.length > 0) return codings.at(-1) === 'chunked' ? 'chunked' : undefined
  return contentLength(headers, 0)
}

export function responseFraming(
  { status }: Pick<StatusLine, 'status'>,
  headers: HeaderPairs,
  method: string,
): Framing | undefined {
  if (method === 'HEAD' || status === 204 || status === 304 || (status >= 100 && status < 200))
    return 0
  const codings = listedValues(headers, 'transfer-encoding')
  if (codings.length > 0) return codings.at(-1) === 'chunked' ? 'chunked' : 'close'
  return contentLength(headers, 'close')
}

function contentLength(headers: HeaderPairs, otherwise: Framing): Framing | undefined {
  const [length, ...more] = new Set(listedValues(headers, 'content-length'))
  if (length === undefined) return otherwise
  return more.length === 0 && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}
