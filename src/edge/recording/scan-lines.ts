/**
 * Finds lines in blocks of bytes, without making text of them. A line that begins in one block and ends in another is
 * put together; memory holds no more than one line and one block, and a line that has no end is passed over.
 */
import type { LineSource } from './line-source.ts'

/** A line without its line feed: bytes from `start` to `end`, and where it stands in the whole text. */
export type TakeLine = (bytes: Buffer, start: number, end: number, at: number) => void

export interface ScanEnd {
  /** Behind the last whole line. */
  readonly at: number
  /** What stands behind it: half a line, or one without a line feed. */
  readonly rest: Buffer
  /** Where lines were left out, because they had no end or their beginning could not be read. */
  readonly left: readonly number[]
}

const lineFeed = 10
const mostLine = 64 * 1024 * 1024
const mostLeft = 100

export async function scanLines(
  source: LineSource,
  from: number,
  take: TakeLine,
): Promise<ScanEnd> {
  let parts: Buffer[] = []
  let held = 0
  /** Where the line begins whose parts are held. */
  let begin = from
  let isPassing = false
  const left: number[] = []
  const pass = (): void => {
    if (left.length < mostLeft) left.push(begin)
  }

  function finish(last: Buffer): void {
    if (isPassing) isPassing = false
    else {
      const whole = Buffer.concat([...parts, last])
      take(whole, 0, whole.length, begin)
    }
    parts = []
    held = 0
  }

  for await (const { at, bytes } of source.blocks(from)) {
    if (at !== begin + held) {
      // Something before it cannot be read: half a line from there is none.
      if (held > 0) pass()
      parts = []
      held = 0
      begin = at
    }
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (start === 0 && (held > 0 || isPassing)) finish(bytes.subarray(0, end))
      else take(bytes, start, end, begin)
      start = end + 1
      begin = at + start
    }
    if (start < bytes.length) {
      held += bytes.length - start
      if (held > mostLine && !isPassing) {
        pass()
        isPassing = true
        parts = []
      }
      // The block is filled anew: what is kept of it must be a copy.
      if (!isPassing) parts.push(Buffer.from(bytes.subarray(start)))
    }
  }
  return { at: begin, rest: isPassing ? Buffer.alloc(0) : Buffer.concat(parts), left }
}
