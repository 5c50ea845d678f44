/**
 * What is in a recording already, before more is appended: read once from end to end in blocks, whatever its size, to
 * go on counting, numbering and hashing where the last session stopped.
 */
import { createHash, type Hash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { LineFile } from './line-file.ts'

export interface RecordingSurvey {
  /** Lines of exchanges. */
  readonly http: number
  /** The highest number that a line has. */
  readonly seq: number
  /** Of every byte so far; goes on with what is appended. */
  readonly hash: Hash
}

const blockSize = 1024 * 1024
/** A line tells what it is within this. */
const beginning = 160
const lineFeed = 10
const numbered = /^\{"_rec":\{"v":\d+,"type":"(\w+)","id":"[^"]*","seq":(\d+)/

export function surveyRecording({ fd, size }: LineFile): RecordingSurvey {
  const hash = createHash('sha256')
  let http = 0
  let lines = 0
  let seq = 0

  function note(line: Buffer): void {
    lines++
    const match = numbered.exec(line.toString('latin1'))
    // A line in another spelling still has its place in the order.
    seq = Math.max(seq, match ? Number(match[2]) : lines - 1)
    if (!match || match[1] === 'http') http++
  }

  // What of the last block may be the beginning of a line that goes on in the next.
  let carried = Buffer.alloc(0)
  const block = Buffer.allocUnsafe(blockSize)
  for (let at = 0; at < size;) {
    const count = readSync(fd, block, 0, Math.min(blockSize, size - at), at)
    if (count === 0) break
    const fresh = block.subarray(0, count)
    hash.update(fresh)
    at += count
    const text = Buffer.concat([carried, fresh])
    let from = 0
    for (let end = text.indexOf(lineFeed); end >= 0; end = text.indexOf(lineFeed, from)) {
      note(text.subarray(from, Math.min(end, from + beginning)))
      from = end + 1
    }
    carried = Buffer.from(text.subarray(from))
  }
  return { http, seq, hash }
}
