/**
 * Splits blocks of bytes into lines without decoding them. Lines across blocks are joined; memory holds at most one
 * line and one block, and overlong lines are skipped.
 */
import type { LineSource } from './line-source.ts'

/** Called with each line without its line feed: bytes from `start` to `end`, and its offset in the whole text. */
export type OnLine = (bytes: Buffer, start: number, end: number, at: number) => void

export interface ScanEnd {
  /** Offset after the last whole line. */
  readonly at: number
  /** The rest after it: a partial line, or one without a line feed. */
  readonly rest: Buffer
  /** Offsets of skipped lines: overlong, or with an unreadable beginning. */
  readonly skipped: readonly number[]
}

const lineFeed = 10
const maxLineBytes = 64 * 1024 * 1024
const maxSkipped = 100

/** `isEnough` is asked after each block: the scan may end there, and go on from `at` later. */
export async function scanLines(
  source: LineSource,
  from: number,
  take: OnLine,
  isEnough: () => boolean = () => false,
): Promise<ScanEnd> {
  let parts: Buffer[] = []
  let held = 0
  /** Offset of the line whose parts are held. */
  let begin = from
  let isSkipping = false
  const skipped: number[] = []
  const skip = (): void => {
    if (skipped.length < maxSkipped) skipped.push(begin)
  }

  function finish(last: Buffer): void {
    if (isSkipping) isSkipping = false
    else {
      const whole = Buffer.concat([...parts, last])
      take(whole, 0, whole.length, begin)
    }
    parts = []
    held = 0
  }

  for await (const { at, bytes } of source.blocks(from)) {
    if (at !== begin + held) {
      // There is an unreadable gap before it: drop the partial line.
      if (held > 0) skip()
      parts = []
      held = 0
      begin = at
    }
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (start === 0 && (held > 0 || isSkipping)) finish(bytes.subarray(0, end))
      else take(bytes, start, end, begin)
      start = end + 1
      begin = at + start
    }
    if (start < bytes.length) {
      held += bytes.length - start
      if (held > maxLineBytes && !isSkipping) {
        skip()
        isSkipping = true
        parts = []
      }
      // The block's memory is reused: keep a copy.
      if (!isSkipping) parts.push(Buffer.from(bytes.subarray(start)))
    }
    // The rest of a line is read again.
    if (isEnough()) return { at: begin, rest: Buffer.alloc(0), skipped }
  }
  return { at: begin, rest: isSkipping ? Buffer.alloc(0) : Buffer.concat(parts), skipped }
}
