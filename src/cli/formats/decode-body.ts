/** Undoes the coding of a body, so that it can be redacted inside; bounded, since a few bytes may stand for gigabytes. */
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
