/**
 * Unpacks a compressed file while it is read, by its content, not by its name. What can be unpacked of a broken file is
 * kept; unpacking stops where a little stands for very much.
 */
import { Readable, Transform } from 'node:stream'
import {
  constants,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  inflateRawSync,
} from 'node:zlib'
import {
  defaultExpansionLimits,
  type ExpansionLimits,
  expansionSentence,
  maxExpandedBytes,
} from '../../../core/runtime/recording/line-source.ts'
import type { FormatProblem } from '../../formats/format.ts'

const decoded = (encoding: 'utf-16le' | 'utf-16be'): Transform => {
  const decoder = new TextDecoder(encoding)
  return new Transform({
    transform: (piece: Buffer, _, done) => done(null, decoder.decode(piece, { stream: true })),
    flush: (done) => done(null, decoder.decode()),
  })
}

const transforms = {
  gzip: createGunzip,
  zlib: createInflate,
  zstd: createZstdDecompress,
  deflate: createInflateRaw,
  // What PowerShell writes to a file.
  'UTF-16': () => decoded('utf-16le'),
  'UTF-16, big end first': () => decoded('utf-16be'),
} as const

export type Packing = keyof typeof transforms

const magics: readonly (readonly [RegExp, Packing])[] = [
  [/^1f8b08/, 'gzip'],
  [/^78(?:01|5e|9c|da)/, 'zlib'],
  [/^28b52ffd/, 'zstd'],
  [/^fffe(?!0000)/, 'UTF-16'],
  [/^feff/, 'UTF-16, big end first'],
]

/** Undefined for a plain file; raw deflate has no mark. */
export function packingOf(beginning: Uint8Array): Packing | undefined {
  const start = Buffer.from(beginning.subarray(0, 4)).toString('hex')
  return magics.find(([pattern]) => pattern.test(start))?.[1]
}

/** Whether it is deflated without any mark: what it unpacks to is recognised, and it is not. */
export function isRawDeflate(
  beginning: Uint8Array,
  recognises: (beginning: Uint8Array) => boolean,
): boolean {
  // The first block has a known kind.
  if (beginning.length === 0 || ((beginning[0] ?? 0) & 6) === 6 || recognises(beginning))
    return false
  try {
    const finishFlush = constants.Z_SYNC_FLUSH
    return recognises(inflateRawSync(beginning, { finishFlush, maxOutputLength: maxTrialBytes }))
  } catch {
    return false
  }
}

/** 64 KiB of deflated data are no more. */
const maxTrialBytes = 128 * 1024 * 1024

const isUnpackError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^Z(?:_|STD)/.test(String(error.code))

export async function* unpack(
  pieces: AsyncIterable<Uint8Array>,
  packing: Packing,
  report: (problem: FormatProblem) => void,
  limits: ExpansionLimits = defaultExpansionLimits,
): AsyncGenerator<Uint8Array> {
  let packed = 0
  let bytes = 0
  const stop = (message: string): void =>
    report({ where: `byte ${bytes} of what it unpacks to`, message, fatal: true })
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      packed += piece.length
      yield piece
    }
  }
  const transform: Transform = transforms[packing]()
  const source = Readable.from(counted(), { objectMode: false })
  source.once('error', (error) => transform.destroy(error))
  source.pipe(transform)
  try {
    for await (const piece of transform as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > maxExpandedBytes(packed, limits)) {
        stop(expansionSentence(limits))
        break
      }
      yield piece
    }
  } catch (error) {
    if (!isUnpackError(error)) throw error
    stop(`what is packed as ${packing} is damaged there, or ends too early (${error.message})`)
  } finally {
    source.destroy()
    transform.destroy()
  }
}
