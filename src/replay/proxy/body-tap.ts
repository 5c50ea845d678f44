/**
 * Copies a body while it streams through and decodes it afterwards to text, or to bytes when it is no text. The stream
 * itself is untouched; of a body over the limit only length and hash are kept.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Wire } from '../../core/traffic/exchange.ts'
import { maxBodyBytes } from '../../core/runtime/server/limits.ts'

export interface BodyTap {
  readonly take: (chunk: Buffer) => void
  /** The body, with its content coding decoded. */
  readonly body: (coding: string | undefined) => Promise<TappedBody>
}

export interface TappedBody {
  readonly body?: string
  readonly wire?: Wire
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

/** Limit against decompression bombs. */
const maxDecodedBytes = 64 * 1024 * 1024

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
      const whole = await decode(bytes, { maxOutputLength: maxDecodedBytes })
      return { bytes: whole, undone: coding?.trim().toLowerCase() }
    } catch {
      // Content does not match its header: keep the bytes as they came.
      return { bytes, undone: undefined }
    }
  }

  return {
    take(chunk) {
      size += chunk.length
      hash.update(chunk)
      if (size <= maxBodyBytes) chunks.push(chunk)
      else chunks.length = 0
    },
    async body(coding) {
      if (size === 0) return {}
      const seen = { bytes: size, sha256: hash.digest('hex') }
      if (size > maxBodyBytes) return { wire: seen }
      const { bytes, undone } = await decoded(Buffer.concat(chunks), coding)
      const text = textOf(bytes)
      const wire = undone === undefined ? seen : { ...seen, coding: undone }
      if (text === undefined) return { wire: { ...wire, base64: bytes.toString('base64') } }
      // Plain text needs no separate byte record.
      return undone === undefined ? { body: text } : { body: text, wire }
    },
  }
}
