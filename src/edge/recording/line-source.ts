/**
 * Lines of a recording, wherever they lie: in a plain file, in one that is compressed in pieces, or in one that has to be
 * unpacked first. Positions are those of the plain text, so that nobody else has to know.
 */
import {
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  closeSync,
  read,
  rmSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, createZstdDecompress, zstdDecompress } from 'node:zlib'
import { readAt } from './line-file.ts'
import { type Frame, type FrameWalk, isZstd, walkFrames } from './zstd-frames.ts'

export interface Block {
  /** Where its first byte stands in the plain text. */
  readonly at: number
  /** Good until the next block is asked for. */
  readonly bytes: Buffer
}

export interface LineSource {
  /** The plain text from there, in blocks; after something that cannot be read the next one stands further on. */
  readonly blocks: (from: number) => AsyncGenerator<Block>
  readonly read: (at: number, length: number) => Promise<Buffer>
  readonly close: () => void
}

/** What could not be read, as half a sentence. */
export type Complain = (message: string) => void

const blockBytes = 1024 * 1024
/** A frame of more than this is unpacked into a file instead of memory. */
const mostFrame = 64 * 1024 * 1024
/** More than this does not come out of a compressed file that means well. */
const mostUnpacked = 64 * 1024 ** 3

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
      // While one is looked at, the next is on its way into the other.
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
        // Nobody waits for it when the reader has seen enough.
        next.catch(() => undefined)
        yield { at, bytes }
        at += bytes.length
      }
    },
    read: (at, length) => fill(Buffer.allocUnsafe(length), at),
    close: () => closeSync(fd),
  }
}

interface PlacedFrame extends Frame {
  /** Where it begins in the plain text. */
  readonly from: number
  readonly size: number
}

/** The frames that single lines were read from last, of all files of a recording. */
export type FrameCache = { readonly frame: object; readonly bytes: Promise<Buffer> }[]

const mostKept = 3

/**
 * Gives the memory of a large buffer back at once: waiting for the collector, which sees only the small object before
 * it, a pass over a long recording would hold hundreds of megabytes. Smaller ones may share their memory with others.
 */
function letGo({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 2 * Buffer.poolSize) buffer.transfer(0)
}

function zstdSource(
  fd: number,
  frames: readonly PlacedFrame[],
  complain: Complain,
  kept: FrameCache,
): LineSource {
  async function open({ at, length, size }: PlacedFrame): Promise<Buffer> {
    const packed = Buffer.allocUnsafeSlow(length)
    await readInto(fd, packed, 0, length, at)
    const bytes = await unpack(packed, {
      chunkSize: Math.max(64, size + 64),
      maxOutputLength: size + 64,
    })
    letGo(packed)
    return bytes
  }

  function frameAt(position: number): PlacedFrame | undefined {
    let low = 0
    let high = frames.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((frames[middle]?.from ?? 0) <= position) low = middle + 1
      else high = middle
    }
    return frames[low - 1]
  }

  function keep(frame: PlacedFrame): Promise<Buffer> {
    const known = kept.find((each) => each.frame === frame)
    if (known) return known.bytes
    const bytes = open(frame)
    kept.unshift({ frame, bytes })
    kept.length = Math.min(kept.length, mostKept)
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
          letGo(bytes)
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          complain(
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
        const bytes = await keep(frame)
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

/** A stretch of a compressed file that is unpacked by itself; to its end when no end is said. */
interface Stretch {
  readonly start: number
  readonly end?: number
}

/** Every frame, and what is broken between them: it may hold a few lines all the same. */
function stretchesOf({ frames, broken }: FrameWalk): readonly Stretch[] {
  const starts = [...frames, ...broken].map(({ at }) => at).toSorted((a, b) => a - b)
  return starts.map((start, index) => {
    const next = starts[index + 1]
    return next === undefined ? { start } : { start, end: next - 1 }
  })
}

/** A file that can only be read from its beginning becomes a plain one, which nobody else sees and that goes by itself. */
async function unpacked(
  file: string,
  begin: () => Transform,
  stretches: readonly Stretch[],
  complain: Complain,
): Promise<LineSource> {
  const plain = join(tmpdir(), `sparring-${randomUUID()}`)
  let bytes = 0
  async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > mostUnpacked) throw new Error(`it unpacks to more than ${mostUnpacked} bytes`)
      yield chunk
    }
  }
  // A stream that unpacks zstd ends with the first frame, and says nothing of what stands behind that.
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
      complain(`it cannot be decompressed beyond byte ${bytes} of its text (${why})`)
      if (bytes > mostUnpacked) break
    }
  const fd = openSync(plain, 'a+')
  rmSync(plain, { force: true })
  return plainSource(fd)
}

/** The frames with their places; undefined when some are too large, or do not say how large they are. */
function placed(frames: readonly Frame[]): readonly PlacedFrame[] | undefined {
  let from = 0
  const result: PlacedFrame[] = []
  for (const { at, length, size } of frames) {
    if (size === undefined || size > mostFrame) return undefined
    result.push({ at, length, size, from })
    from += size
  }
  return result
}

/** Opens a file by what is in it, whatever its name; throws what the file system throws. */
export async function openLineSource(
  file: string,
  complain: Complain,
  kept: FrameCache = [],
): Promise<LineSource> {
  const fd = openSync(file, 'r')
  const beginning = readAt(fd, 0, 4)
  if (isZstd(beginning)) {
    const { size } = fstatSync(fd)
    const walk = walkFrames((at, length) => readAt(fd, at, length), size)
    const places = placed(walk.frames)
    if (places) {
      for (const { at, why } of walk.broken)
        complain(`${why} at byte ${at}; what stands there is lost`)
      return zstdSource(fd, places, complain, kept)
    }
    closeSync(fd)
    return unpacked(file, createZstdDecompress, stretchesOf(walk), complain)
  }
  if (beginning[0] === 0x1f && beginning[1] === 0x8b) {
    closeSync(fd)
    return unpacked(file, createGunzip, [{ start: 0 }], complain)
  }
  return plainSource(fd)
}
