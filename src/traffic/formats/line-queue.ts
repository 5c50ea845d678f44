/** Splits chunks of bytes into numbered lines; a line that is too long is skipped and reported. */
import { createByteQueue } from './byte-queue.ts'
import type { FormatProblem } from './format.ts'

export interface NumberedLine {
  /** 1-based. */
  readonly number: number
  /** Without its line terminator. */
  readonly text: string
}

export interface LineQueue {
  readonly feed: (bytes: Uint8Array) => readonly NumberedLine[]
  /** The last line, if it has no line terminator. */
  readonly finish: () => readonly NumberedLine[]
  readonly problems: () => readonly FormatProblem[]
}

const lineFeed = 10
export const maxLineBytes = 64 * 1024 * 1024

export function createLineQueue(maxBytes = maxLineBytes): LineQueue {
  const queue = createByteQueue()
  const problems: FormatProblem[] = []
  let number = 0
  /** Inside a line that is too long. */
  let skipping = false

  function lineOf(bytes: Uint8Array): NumberedLine {
    number++
    const text = new TextDecoder('utf-8').decode(bytes)
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
    if (queue.size() > maxBytes) {
      queue.take(queue.size())
      skipping = true
    }
    return lines
  }

  function tooLong(): void {
    number++
    problems.push({
      where: `line ${number}`,
      message: `it is longer than ${maxBytes} bytes and was left out`,
    })
  }

  return {
    feed(bytes) {
      queue.push(bytes)
      return takeLines()
    },
    finish() {
      if (skipping) tooLong()
      else if (queue.size() > 0) return [lineOf(queue.take(queue.size()))]
      return []
    },
    problems: () => problems,
  }
}
