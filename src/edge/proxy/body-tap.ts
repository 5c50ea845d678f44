/**
 * Looks at a body as it flows past, and tells afterwards what it was: its text, or its bytes where it is no text. What
 * flows is never touched; of a body over the limit nothing is kept but its length and its hash.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Wire } from '../../traffic/exchange.ts'
import { bodyLimit } from '../server/limits.ts'

export interface BodyTap {
  readonly take: (chunk: Buffer) => void
  /** What it was, its coding undone. */
  readonly body: (coding: string | undefined) => Promise<TappedBody>
}

export interface TappedBody {
  readonly body?: string
  readonly wire?: Wire
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

/** A small body may decode to one that no memory holds. */
const mostDecoded = 64 * 1024 * 1024

const codings: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

export function createBodyTap(): BodyTap {
  const chunks: Buffer[] = []
  const hash = createHash('sha256')
  let size = 0

  async function decoded(bytes: Buffer, coding: string | undefined) {
    const decode = coding === undefined ? undefined : codings[coding.trim().toLowerCase()]
    if (!decode) return { bytes, undone: undefined }
    try {
      const whole = await decode(bytes, { maxOutputLength: mostDecoded })
      return { bytes: whole, undone: coding?.trim().toLowerCase() }
    } catch {
      // It is not what its header says: the bytes as they came are the truth.
      return { bytes, undone: undefined }
    }
  }

  return {
    take(chunk) {
      size += chunk.length
      hash.update(chunk)
      if (size <= bodyLimit) chunks.push(chunk)
      else chunks.length = 0
    },
    async body(coding) {
      if (size === 0) return {}
      const seen = { bytes: size, sha256: hash.digest('hex') }
      if (size > bodyLimit) return { wire: seen }
      const { bytes, undone } = await decoded(Buffer.concat(chunks), coding)
      const text = textOf(bytes)
      const wire = undone === undefined ? seen : { ...seen, coding: undone }
      if (text === undefined) return { wire: { ...wire, base64: bytes.toString('base64') } }
      // Plain text says all there is about its bytes.
      return undone === undefined ? { body: text } : { body: text, wire }
    },
  }
}
