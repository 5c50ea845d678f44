/** Undoes the content codings of bodies, at once or without blocking, within a limit of what they unpack to. */
import { promisify } from 'node:util'
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib'

interface Limit {
  readonly maxOutputLength: number
}

interface Coding {
  readonly now: (bytes: Uint8Array, limit: Limit) => Uint8Array
  readonly later: (bytes: Uint8Array, limit: Limit) => Promise<Uint8Array>
}

export const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const gzip: Coding = { now: gunzipSync, later: promisify(gunzip) }
const zlib: Coding = { now: inflateSync, later: promisify(inflate) }
const raw: Coding = { now: inflateRawSync, later: promisify(inflateRaw) }

/** Some servers send it without the header of zlib. */
const deflate: Coding = {
  now(bytes, limit) {
    try {
      return zlib.now(bytes, limit)
    } catch (error) {
      if (isTooLong(error)) throw error
      return raw.now(bytes, limit)
    }
  },
  later: (bytes, limit) =>
    zlib.later(bytes, limit).catch((error: unknown) => {
      if (isTooLong(error)) throw error
      return raw.later(bytes, limit)
    }),
}

/** By the name in Content-Encoding. */
export const codings: ReadonlyMap<string, Coding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', deflate],
  ['br', { now: brotliDecompressSync, later: promisify(brotliDecompress) }],
  ['zstd', { now: zstdDecompressSync, later: promisify(zstdDecompress) }],
])
