/**
 * Finds the frames of a zstd file from its headers, without decompressing. Our segments have a frame per MiB of whole
 * lines, so that any of them is read independently; files of other programs are mostly one frame.
 */

/** Reads `length` bytes at a position; fewer at the end of the file. */
export type ReadAt = (position: number, length: number) => Buffer

export interface ZstdFrame {
  /** Offset in the compressed file. */
  readonly at: number
  readonly length: number
  /** Decompressed size, if the frame states it. */
  readonly size: number | undefined
}

export interface ZstdFrameWalk {
  readonly frames: readonly ZstdFrame[]
  /** Offsets at which there is no valid frame. */
  readonly broken: readonly { readonly at: number; readonly why: string }[]
}

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
export const isZstd = (beginning: Uint8Array): boolean =>
  magic.equals(beginning.subarray(0, 4)) ||
  (beginning.length >= 4 && isSkippable(Buffer.from(beginning.buffer, beginning.byteOffset, 4)))

/** A skippable frame with data of other programs. */
const isSkippable = (head: Buffer): boolean =>
  (head.readUInt32LE(0) & 0xfffffff0) >>> 0 === 0x184d2a50

const sizeBytes = [0, 2, 4, 8] as const
const dictionaryBytes = [0, 1, 2, 4] as const
/** Longest header: magic, descriptor, window, dictionary, content size. */
const maxHeaderBytes = 18
const blockHeader = 3
const maxFrames = 1_000_000

interface Head {
  readonly length: number
  readonly size: number | undefined
  readonly checksum: boolean
}

function headOf(bytes: Buffer): Head | undefined {
  if (bytes.length < 6 || !magic.equals(bytes.subarray(0, 4))) return undefined
  const descriptor = bytes.readUInt8(4)
  const isSingle = (descriptor & 0x20) !== 0
  const code = descriptor >> 6
  const long = code === 0 && isSingle ? 1 : (sizeBytes[code] ?? 0)
  const at = 5 + (isSingle ? 0 : 1) + (dictionaryBytes[descriptor & 3] ?? 0)
  if (bytes.length < at + long) return undefined
  let size: number | undefined
  if (long === 1) size = bytes.readUInt8(at)
  else if (long === 2) size = bytes.readUInt16LE(at) + 256
  else if (long === 4) size = bytes.readUInt32LE(at)
  else if (long === 8) size = Number(bytes.readBigUInt64LE(at))
  return { length: at + long, size, checksum: (descriptor & 4) !== 0 }
}

/** End of the blocks from an offset; undefined when the file ends before. */
function endOfBlocks(readAt: ReadAt, from: number): number | undefined {
  for (let at = from; ;) {
    const header = readAt(at, blockHeader)
    if (header.length < blockHeader) return undefined
    const bits = header.readUIntLE(0, 3)
    const kind = (bits >> 1) & 3
    if (kind === 3) return undefined
    // An RLE block stores a single byte.
    at += blockHeader + (kind === 1 ? 1 : bits >> 3)
    if ((bits & 1) === 1) return at
  }
}

/** Offset of the next frame magic; undefined when there is none. */
function nextMagic(readAt: ReadAt, from: number): number | undefined {
  const step = 256 * 1024
  for (let at = from; ;) {
    const block = readAt(at, step + magic.length - 1)
    const found = block.indexOf(magic)
    if (found >= 0) return at + found
    if (block.length < step) return undefined
    at += step
  }
}

/** The frames of a file; after a broken part the walk continues at the next frame. */
export function walkZstdFrames(readAt: ReadAt, fileSize: number, from = 0): ZstdFrameWalk {
  const frames: ZstdFrame[] = []
  const broken: { at: number; why: string }[] = []
  let at = from
  while (at < fileSize && frames.length < maxFrames) {
    const bytes = readAt(at, maxHeaderBytes)
    if (bytes.length >= 8 && isSkippable(bytes)) {
      at += 8 + bytes.readUInt32LE(4)
      continue
    }
    const head = headOf(bytes)
    const blocks = head && endOfBlocks(readAt, at + head.length)
    const end = blocks === undefined ? undefined : blocks + (head?.checksum ? 4 : 0)
    if (head && end !== undefined && end <= fileSize) {
      frames.push({ at, length: end - at, size: head.size })
      at = end
      continue
    }
    broken.push({
      at,
      why: head ? 'a compressed frame breaks off' : 'there is no compressed frame',
    })
    const next = nextMagic(readAt, at + 1)
    if (next === undefined) break
    at = next
  }
  return { frames, broken }
}
