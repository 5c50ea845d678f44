/** Decodes the bodies of an import, and takes those in files of their own, within one bound for all of them together. */
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import {
  type ExpansionLimits,
  maxExpandedBytes,
} from '../../../core/runtime/recording/line-source.ts'
import type { FormatProblem, ImporterOptions } from '../../formats/format.ts'

type Attachment = NonNullable<ImporterOptions['attachment']>

type Decode = (bytes: Uint8Array, bound: { readonly maxOutputLength: number }) => Uint8Array

const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers send it without the header of zlib, whose first byte ends with 8.
  deflate: (bytes, bound) =>
    ((bytes[0] ?? 0) & 15) === 8 ? inflateSync(bytes, bound) : inflateRawSync(bytes, bound),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** Bodies of real traffic shrink to a hundredth at most, all together. */
const bodyLimits: ExpansionLimits = { freeBytes: 64 * 1024 * 1024, maxRatio: 100 }

export class BodyDecoder {
  readonly #limits: ExpansionLimits
  readonly #attached = new Set<string>()
  /** Bytes of the bodies as they are in the file, and as they are read. */
  #packed = 0
  #bytes = 0
  /** Bodies that were left out. */
  #omitted = 0

  constructor(limits = bodyLimits) {
    this.#limits = limits
  }

  /** Removes a content coding, so that what is coded can be redacted; undefined where that is not possible. */
  readonly decode = (coding: string, bytes: Uint8Array): Uint8Array | undefined => {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
    if (!decode) return undefined
    this.#packed += bytes.length
    const left = maxExpandedBytes(this.#packed, this.#limits) - this.#bytes
    try {
      return this.#counted(decode(bytes, { maxOutputLength: Math.max(1, left) }))
    } catch (error) {
      if (isTooLong(error)) this.#omitted++
      return undefined
    }
  }

  /** Bodies in files of their own: one that many exchanges share counts for each of them. */
  attached(attachment: Attachment): Attachment {
    return (name) => {
      const bytes = attachment(name)
      if (!this.#attached.has(name)) this.#packed += bytes?.length ?? 0
      this.#attached.add(name)
      return bytes && this.#counted(bytes)
    }
  }

  problems(): readonly FormatProblem[] {
    if (this.#omitted === 0) return []
    const message = `all together they unpack to more than ${this.#limits.maxRatio} times their size: ${this.#omitted} were left out`
    return [{ where: 'bodies', message }]
  }

  #counted(bytes: Uint8Array): Uint8Array | undefined {
    if (this.#bytes + bytes.length > maxExpandedBytes(this.#packed, this.#limits)) {
      this.#omitted++
      return undefined
    }
    this.#bytes += bytes.length
    return bytes
  }
}

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
