/** Decodes the wire bytes of an imported body to text, or to a warning why there is none. */
import { type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import type { ContentDecoder } from './format.ts'

export interface ForeignBody {
  readonly text?: string
  readonly warn?: string
}

const maxCodings = 4
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
  const codings = (headerValue(headers, 'content-encoding') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity')
    .slice(0, maxCodings)
  const decoded = codings.length === 0 ? bytes : removeCodings(bytes, codings, decode)
  // Some recorders keep the Content-Encoding header but store the decoded body.
  const text = decodeText(decoded ?? bytes)
  if (text !== undefined)
    return decoded
      ? { text }
      : { text, warn: `the body is not ${namesOf(codings)}, as its header says` }
  return {
    warn: decoded
      ? `a body of ${bytes.length} bytes that is no text was left out`
      : `a body of ${bytes.length} bytes that claims to be ${namesOf(codings)} could not be read and was left out`,
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
