/** Bytes of a body as they stood on the wire, made the text that an exchange holds, or a remark why there is none. */
import type { HeaderPairs } from '../exchange.ts'
import type { Decode } from './format.ts'
import { headerOf } from './foreign-exchange.ts'

export interface ForeignBody {
  readonly text?: string
  readonly warn?: string
}

const mostCodings = 4
const known: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'compress'])

/** What is said of a file quotes nothing of it: a header may hold anything. */
const namesOf = (codings: readonly string[]): string =>
  codings.every((each) => known.has(each)) ? codings.join(', ') : 'coded'

/** Codings are undone from the last that was applied to the first. */
function undone(bytes: Uint8Array, codings: readonly string[], decode?: Decode) {
  let rest: Uint8Array | undefined = bytes
  for (const coding of codings.toReversed()) rest = rest && decode?.(coding, rest)
  return rest
}

export function foreignBody(bytes: Uint8Array, headers: HeaderPairs, decode?: Decode): ForeignBody {
  if (bytes.length === 0) return {}
  const codings = (headerOf(headers, 'content-encoding') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity')
    .slice(0, mostCodings)
  const plain = codings.length === 0 ? bytes : undone(bytes, codings, decode)
  // Some recorders keep the header and write the body decoded.
  const text = textIn(plain ?? bytes)
  if (text !== undefined)
    return plain
      ? { text }
      : { text, warn: `the body is not ${namesOf(codings)}, as its header says` }
  return {
    warn: plain
      ? `a body of ${bytes.length} bytes that is no text was left out`
      : `a body of ${bytes.length} bytes that claims to be ${namesOf(codings)} could not be read and was left out`,
  }
}

/** Text as it stands: a byte order mark is part of it. A zero byte is in no text. */
function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
