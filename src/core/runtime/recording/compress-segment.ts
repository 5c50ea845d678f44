/**
 * Compresses a full segment into independently readable zstd frames; the plain file is removed only after the
 * compressed one is synced. Compression runs on other threads and yields between frames. When killed at any point, the
 * plain file, the compressed one, or both are intact.
 */
import { closeSync, fstatSync, openSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Disk } from './appender.ts'
import { readAt } from './line-file.ts'
import { writeAtomically } from './write-atomically.ts'

/** Plain bytes per frame: reading one line decompresses its whole frame, so larger ones cost memory and time. */
export const frameBytes = 1 * 1024 * 1024
const lineFeed = 10
const level = 3

const compressed = promisify(zstdCompress)

export interface CompressOptions {
  readonly disk: Disk
  /** Frame size in bytes, smaller in tests. */
  readonly frame?: number
}

export interface CompressionResult {
  readonly bytesIn: number
  readonly bytesOut: number
}

/** End of the frame that starts at `from`: as many whole lines as fit, or one overlong line. */
function frameEnd(fd: number, from: number, size: number, frame: number): number {
  if (size - from <= frame) return size
  const found = readAt(fd, from, frame).lastIndexOf(lineFeed)
  if (found >= 0) return from + found + 1
  for (let at = from + frame; at < size; at += frame) {
    const next = readAt(fd, at, Math.min(frame, size - at)).indexOf(lineFeed)
    if (next >= 0) return at + next + 1
  }
  return size
}

/** Compresses a segment and removes the plain file; rejects with the disk's error, and then the plain file stays. */
export async function compressSegment(
  file: string,
  { disk, frame = frameBytes }: CompressOptions,
): Promise<CompressionResult> {
  const fd = openSync(file, 'r')
  let bytesOut = 0
  try {
    const { size } = fstatSync(fd)
    await writeAtomically(`${file}.zst`, disk, async ({ write }) => {
      for (let at = 0; at < size;) {
        const end = frameEnd(fd, at, size, frame)
        const plain = readAt(fd, at, end - at)
        const packed = await compressed(plain, {
          chunkSize: plain.length + 65_536,
          params: {
            [constants.ZSTD_c_compressionLevel]: level,
            [constants.ZSTD_c_checksumFlag]: 1,
            [constants.ZSTD_c_contentSizeFlag]: 1,
          },
          pledgedSrcSize: plain.length,
        })
        bytesOut += packed.length
        await write(packed)
        at = end
      }
    })
    rmSync(file, { force: true })
    return { bytesIn: size, bytesOut }
  } finally {
    closeSync(fd)
  }
}
