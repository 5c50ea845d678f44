/** Splits chunks of bytes into numbered lines; a line that is too long is skipped and reported. */
import { createByteQueue } from './byte-queue.ts'
import { createProblemList } from './problem-list.ts'

export interface NumberedLine {
  /** 1-based. */
  readonly number: number
  /** Without its line terminator. */
  readonly text: string
}

const lineFeed = 10
const decoder = new TextDecoder('utf-8')
export const maxLineBytes = 64 * 1024 * 1024

export function createLineQueue(maxBytes = maxLineBytes) {
  const queue = createByteQueue()
  const problems = createProblemList()
  let number = 0
  /** Inside a line that is too long. */
  let skipping = false

  function lineOf(bytes: Uint8Array): NumberedLine {
    number++
    const text = decoder.decode(bytes)
    return { number, text: text.endsWith('\r') ? text.slice(0, -1) : text }
  }

  function takeLines(): NumberedLine[] {
    const lines: NumberedLine[] = []
    for (let end = queue.indexOf(lineFeed); end >= 0; end = queue.indexOf(lineFeed)) {
      const bytes = queue.take(end + 1)
      if (skipping || end > maxBytes) tooLong()
      else lines.push(lineOf(bytes.subarray(0, end)))
      skipping = false
    }
    // The rest of a line that is too long is not kept.
    if (skipping || queue.size() > maxBytes) {
      skipping ||= queue.size() > 0
      queue.take(queue.size())
    }
    return lines
  }

  function tooLong(): void {
    number++
    problems.add(`line ${number}`, `it is longer than ${maxBytes} bytes and was left out`)
  }

  return {
    feed(bytes: Uint8Array): readonly NumberedLine[] {
      queue.push(bytes)
      return takeLines()
    },
    /** The last line, if it has no line terminator. */
    finish(): readonly NumberedLine[] {
      if (skipping) tooLong()
      else if (queue.size() > 0) return [lineOf(queue.take(queue.size()))]
      return []
    },
    problems: problems.all,
  }
}
