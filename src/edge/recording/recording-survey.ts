/**
 * What is in a recording already, before more is appended: read once from end to end in blocks, whatever its size, to
 * go on counting and numbering where the last session stopped. And the hash over all of it, taken when it is closed:
 * taking it along with every write would cost a busy session as much as writing does.
 */
import { createHash } from 'node:crypto'
import { read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'
import { readAt, type LineFile } from './line-file.ts'
import { walkFrames } from './zstd-frames.ts'

export interface RecordingSurvey {
  /** Lines of exchanges. */
  readonly http: number
  /** The highest number that a line has. */
  readonly seq: number
  /** Its last line is that of a recording that was closed. */
  readonly ended: boolean
}

const blockSize = 1024 * 1024
/** A line tells what it is within this. */
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

/** A frame that cannot be read has nothing to say about the rest. */
function unpacked(bytes: Buffer): Buffer {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: 1024 * blockSize })
  } catch {
    return Buffer.alloc(0)
  }
}

function* compressedBlocks(fd: number, size: number): Generator<Buffer> {
  const { frames } = walkFrames((at, length) => readAt(fd, at, length), size)
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
    // A line in another spelling still has its place in the order.
    seq = Math.max(seq, match ? Number(match[2]) : lines - 1)
    type = match?.[1]
    if (!match || match[1] === 'http') http++
  }

  // What of the last block may be the beginning of a line that goes on in the next.
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

/** The SHA-256 of the first so many bytes of a file, in hexadecimal; others get their turn between two blocks. */
export async function hashOf(fd: number, size: number): Promise<string> {
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
