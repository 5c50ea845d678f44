/** Decodes the bodies of an import, and takes those in files of their own, within one bound for all of them together. */
import {
  type ExpansionLimits,
  maxExpandedBytes,
} from '../../../core/runtime/recording/line-source.ts'
import { codings, isTooLong } from '../../proxy/content-codings.ts'
import type { FormatProblem, ImporterOptions } from '../../formats/format.ts'

type Attachment = NonNullable<ImporterOptions['attachment']>

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
    const known = codings.get(coding)
    if (!known) return undefined
    this.#packed += bytes.length
    const left = maxExpandedBytes(this.#packed, this.#limits) - this.#bytes
    try {
      return this.#counted(known.now(bytes, { maxOutputLength: Math.max(1, left) }))
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
