/**
 * Scans an existing recording before appending, to continue its counts and sequence numbers; and computes its hash on
 * close, since hashing every write would cost as much as writing.
 */
import { createHash } from 'node:crypto'
import { read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'
import { readAt, type LineFile } from './line-file.ts'
import { walkZstdFrames } from './zstd-frames.ts'

export interface RecordingSurvey {
  /** Number of exchange lines. */
  readonly http: number
  /** Highest sequence number. */
  readonly seq: number
  /** Whether it ends with an end line. */
  readonly ended: boolean
}

const blockSize = 1024 * 1024
/** Bytes of a line that contain its type and number. */
const beginning = 160
const lineFeed = 10
const numbered = /^\{"_rec":\{"v":\d+,"type":"(\w+)","id":"[^"]*","seq":(\d+)/

function* plainBlocks(fd: number, size: number): Generator<Buffer> {
  const block = Buffer.allocUnsafe(blockSize)
  for (let at = 0; at < size;) {
    const count = readSync(fd, block, 0, Math.min(blockSize, size - at), at)
    if (count === 0) break
    at += count
    yield block.subarray(0, count)
  }
}

/** An unreadable frame counts as empty. */
function unpacked(bytes: Buffer): Buffer {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: 1024 * blockSize })
  } catch {
    return Buffer.alloc(0)
  }
}

function* compressedBlocks(fd: number, size: number): Generator<Buffer> {
  const { frames } = walkZstdFrames((at, length) => readAt(fd, at, length), size)
  for (const { at, length } of frames) yield unpacked(readAt(fd, at, length))
}

export const surveyRecording = ({ fd, size }: Pick<LineFile, 'fd' | 'size'>): RecordingSurvey =>
  survey(plainBlocks(fd, size))

export const surveyCompressed = ({ fd, size }: Pick<LineFile, 'fd' | 'size'>): RecordingSurvey =>
  survey(compressedBlocks(fd, size))

function survey(blocks: Iterable<Buffer>): RecordingSurvey {
  let http = 0
  let lines = 0
  let seq = 0
  let type: string | undefined

  function note(line: Buffer): void {
    lines++
    const match = numbered.exec(line.toString('latin1'))
    // A line in another spelling counts by its position.
    seq = Math.max(seq, match ? Number(match[2]) : lines - 1)
    type = match?.[1]
    if (!match || match[1] === 'http') http++
  }

  // Rest of the last block: the start of a line that continues in the next.
  let carried = Buffer.alloc(0)
  for (const block of blocks) {
    const text = Buffer.concat([carried, block])
    let from = 0
    for (let end = text.indexOf(lineFeed); end >= 0; end = text.indexOf(lineFeed, from)) {
      note(text.subarray(from, Math.min(end, from + beginning)))
      from = end + 1
    }
    carried = Buffer.from(text.subarray(from))
  }
  return { http, seq, ended: type === 'end' }
}

const readBlock = promisify(read)

/** SHA-256 of the first `size` bytes of a file, in hexadecimal; yields between blocks. */
export async function sha256OfFile(fd: number, size: number): Promise<string> {
  const hash = createHash('sha256')
  const block = Buffer.allocUnsafe(blockSize)
  for (let at = 0; at < size;) {
    const { bytesRead } = await readBlock(fd, block, 0, Math.min(blockSize, size - at), at)
    if (bytesRead === 0) break
    hash.update(block.subarray(0, bytesRead))
    at += bytesRead
  }
  return hash.digest('hex')
}
