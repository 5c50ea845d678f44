/** Decompresses a body so that its content can be redacted; output is bounded against decompression bombs. */
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

const bound = { maxOutputLength: 64 * 1024 * 1024 }

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, bound),
  'x-gzip': (bytes) => gunzipSync(bytes, bound),
  deflate: (bytes) => inflateSync(bytes, bound),
  br: (bytes) => brotliDecompressSync(bytes, bound),
  zstd: (bytes) => zstdDecompressSync(bytes, bound),
}

export function decodeBody(coding: string, bytes: Uint8Array): Uint8Array | undefined {
  try {
    return Object.hasOwn(decoders, coding) ? decoders[coding]?.(bytes) : undefined
  } catch {
    return undefined
  }
}
