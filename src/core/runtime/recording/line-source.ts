/**
 * Source of a recording's text: a plain file, one compressed in frames, or one that must be decompressed to a
 * temporary file. Offsets always refer to the plain text.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  read,
  rmSync,
  statSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, createZstdDecompress, zstdDecompress } from 'node:zlib'
import { lowerBound } from '../../traffic/lower-bound.ts'
import { readAt } from './line-file.ts'
import { isZstd, walkZstdFrames, type ZstdFrame, type ZstdFrameWalk } from './zstd-frames.ts'

/**
 * How much may come of compressed data. Real traffic shrinks to a hundredth at most; a file that shrinks to less than a
 * five-hundredth was made to fill memory or disks.
 */
export interface ExpansionLimits {
  /** Bytes that may come of anything. */
  readonly freeBytes: number
  /** Beyond them, how many may come of one. */
  readonly maxRatio: number
  /** Bytes that may come of anything, whatever its size. */
  readonly maxBytes?: number
}

export const defaultExpansionLimits: ExpansionLimits = {
  freeBytes: 64 * 1024 * 1024,
  maxRatio: 500,
}

export const maxExpandedBytes = (
  packedBytes: number,
  { freeBytes, maxRatio, maxBytes = Infinity }: ExpansionLimits,
): number => Math.min(maxBytes, Math.max(freeBytes, packedBytes * maxRatio))

export const expansionSentence = ({ maxRatio }: ExpansionLimits): string =>
  `it unpacks to more than ${maxRatio} times its size`

export interface TextBlock {
  /** Offset of its first byte in the plain text. */
  readonly at: number
  /** Valid until the next block is requested. */
  readonly bytes: Buffer
}

export interface LineSource {
  /** Blocks of plain text from an offset; unreadable parts are skipped, so offsets may jump. */
  readonly blocks: (from: number) => AsyncGenerator<TextBlock>
  readonly read: (at: number, length: number) => Promise<Buffer>
  readonly close: () => void
}

/** Called with a description of a part that could not be read. */
export type OnUnreadable = (message: string) => void

const blockBytes = 1024 * 1024
/** Larger frames are decompressed to a file instead of memory. */
const maxFrameBytes = 64 * 1024 * 1024

const readInto = promisify(read)
const unpack = promisify(zstdDecompress)

function plainSource(fd: number): LineSource {
  async function fill(buffer: Buffer, at: number): Promise<Buffer> {
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await readInto(fd, buffer, filled, buffer.length - filled, at + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }

  return {
    async *blocks(from) {
      // Double buffering: the next block is read while this one is processed.
      const buffers = [
        Buffer.allocUnsafeSlow(blockBytes),
        Buffer.allocUnsafeSlow(blockBytes),
      ] as const
      let turn: 0 | 1 = 0
      let at = from
      let next = fill(buffers[turn], at)
      for (;;) {
        const bytes = await next
        if (bytes.length === 0) return
        turn = turn === 0 ? 1 : 0
        next = fill(buffers[turn], at + bytes.length)
        // Avoid an unhandled rejection when the reader stops early.
        next.catch(() => undefined)
        yield { at, bytes }
        at += bytes.length
      }
    },
    read: (at, length) => fill(Buffer.allocUnsafe(length), at),
    close: () => closeSync(fd),
  }
}

interface PlacedFrame extends ZstdFrame {
  /** Offset in the plain text. */
  readonly from: number
  readonly size: number
}

/** Most recently used frames, shared by all files of a recording. */
export type FrameCache = { readonly frame: object; readonly bytes: Promise<Buffer> }[]

const maxCachedFrames = 3

/**
 * Frees the memory of a large buffer at once: the garbage collector sees only a small object, and a scan of a long
 * recording would hold hundreds of megabytes. Small buffers may share a pool.
 */
function freeMemory({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 2 * Buffer.poolSize) buffer.transfer(0)
}

function zstdSource(
  fd: number,
  frames: readonly PlacedFrame[],
  onUnreadable: OnUnreadable,
  cache: FrameCache,
): LineSource {
  async function open({ at, length, size }: PlacedFrame): Promise<Buffer> {
    const packed = Buffer.allocUnsafeSlow(length)
    await readInto(fd, packed, 0, length, at)
    const bytes = await unpack(packed, {
      chunkSize: Math.max(64, size + 64),
      maxOutputLength: size + 64,
    })
    freeMemory(packed)
    return bytes
  }

  const frameAt = (position: number): PlacedFrame | undefined =>
    frames[lowerBound(frames.length, (index) => (frames[index]?.from ?? 0) <= position) - 1]

  function cachedFrame(frame: PlacedFrame): Promise<Buffer> {
    const known = cache.find((each) => each.frame === frame)
    if (known) return known.bytes
    const bytes = open(frame)
    cache.unshift({ frame, bytes })
    cache.length = Math.min(cache.length, maxCachedFrames)
    return bytes
  }

  return {
    async *blocks(from) {
      const wanted = frames.filter((frame) => frame.from + frame.size > from)
      const begin = (frame: PlacedFrame | undefined): Promise<Buffer> | undefined => {
        const bytes = frame && open(frame)
        bytes?.catch(() => undefined)
        return bytes
      }
      let next = begin(wanted[0])
      for (const [index, frame] of wanted.entries()) {
        const current = next
        next = begin(wanted[index + 1])
        try {
          const bytes = (await current) ?? Buffer.alloc(0)
          const skip = Math.max(0, from - frame.from)
          yield { at: frame.from + skip, bytes: bytes.subarray(skip) }
          freeMemory(bytes)
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          onUnreadable(
            `${frame.length} bytes from byte ${frame.at} on cannot be decompressed (${why}); the lines in them are lost`,
          )
        }
      }
    },
    async read(at, length) {
      const parts: Buffer[] = []
      for (let from = at; from < at + length;) {
        const frame = frameAt(from)
        if (!frame) break
        const bytes = await cachedFrame(frame)
        const part = bytes.subarray(from - frame.from, at + length - frame.from)
        if (part.length === 0) break
        parts.push(part)
        from += part.length
      }
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
    close: () => closeSync(fd),
  }
}

/** A byte range of a compressed file that is decompressed independently; without `end`, to the end of the file. */
interface Stretch {
  readonly start: number
  readonly end?: number
}

/** Ranges for all frames and broken parts, which may still contain a few lines. */
function stretchesOf({ frames, broken }: ZstdFrameWalk): readonly Stretch[] {
  const starts = [...frames, ...broken].map(({ at }) => at).toSorted((a, b) => a - b)
  return starts.map((start, index) => {
    const next = starts[index + 1]
    return next === undefined ? { start } : { start, end: next - 1 }
  })
}

interface Unpacking {
  readonly begin: () => Transform
  readonly stretches: readonly Stretch[]
  readonly limits: ExpansionLimits
}

/** Decompresses a file that has no random access to an unlinked temporary file. */
async function decompressToFile(
  file: string,
  { begin, stretches, limits }: Unpacking,
  onUnreadable: OnUnreadable,
): Promise<LineSource> {
  const plain = join(tmpdir(), `sparring-${randomUUID()}`)
  const most = maxExpandedBytes(statSync(file).size, limits)
  let bytes = 0
  async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > most) throw new Error(expansionSentence(limits))
      yield chunk
    }
  }
  // A zstd stream ends silently after the first frame.
  for (const stretch of stretches)
    try {
      await pipeline(
        createReadStream(file, stretch),
        begin(),
        bounded,
        createWriteStream(plain, { flags: 'a', mode: 0o600 }),
      )
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      onUnreadable(`it cannot be decompressed beyond byte ${bytes} of its text (${why})`)
      if (bytes > most) break
    }
  const fd = openSync(plain, 'a+')
  rmSync(plain, { force: true })
  return plainSource(fd)
}

/** The frames with their offsets; undefined when some are too large or have no size. */
function withOffsets(frames: readonly ZstdFrame[]): readonly PlacedFrame[] | undefined {
  let from = 0
  const result: PlacedFrame[] = []
  for (const { at, length, size } of frames) {
    if (size === undefined || size > maxFrameBytes) return undefined
    result.push({ at, length, size, from })
    from += size
  }
  return result
}

/** Opens a file by its content, not its name; throws file system errors. */
export async function openLineSource(
  file: string,
  onUnreadable: OnUnreadable,
  cache: FrameCache = [],
  limits: ExpansionLimits = defaultExpansionLimits,
): Promise<LineSource> {
  const fd = openSync(file, 'r')
  const beginning = readAt(fd, 0, 4)
  if (isZstd(beginning)) {
    const { size } = fstatSync(fd)
    const walk = walkZstdFrames((at, length) => readAt(fd, at, length), size)
    const places = withOffsets(walk.frames)
    const last = places?.at(-1)
    // Beyond the bound it is read in sequence, up to there.
    if (places && (!last || last.from + last.size <= maxExpandedBytes(size, limits))) {
      for (const { at, why } of walk.broken)
        onUnreadable(`${why} at byte ${at}; what is there is lost`)
      return zstdSource(fd, places, onUnreadable, cache)
    }
    closeSync(fd)
    const unpacking = { begin: createZstdDecompress, stretches: stretchesOf(walk), limits }
    return decompressToFile(file, unpacking, onUnreadable)
  }
  if (beginning[0] === 0x1f && beginning[1] === 0x8b) {
    closeSync(fd)
    const unpacking = { begin: createGunzip, stretches: [{ start: 0 }], limits }
    return decompressToFile(file, unpacking, onUnreadable)
  }
  return plainSource(fd)
}
