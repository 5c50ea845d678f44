/**
 * FIFO buffers that importers read from, independent of how the input was chunked: of bytes, and of numbered lines; a
 * line that is too long is skipped and reported.
 */
import { createProblemList } from './problem-list.ts'

/** FIFO byte buffer that importers read from, independent of how the input was chunked. */
export type ByteQueue = ReturnType<typeof createByteQueue>

/** Concatenates chunks; a single chunk is returned without a copy. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

const notSearched = { byte: -1, pieces: 0, bytes: 0 }

export function createByteQueue() {
  let pieces: Uint8Array[] = []
  let size = 0
  let taken = 0
  /** Search progress for the last byte value: chunks and bytes known not to contain it. */
  let searched = notSearched

  function joinedChunks(): Uint8Array {
    const [only] = pieces
    if (only && pieces.length === 1) return only
    const joined = joinedBytes(pieces)
    pieces = size === 0 ? [] : [joined]
    searched = notSearched
    return joined
  }

  return {
    push(bytes: Uint8Array) {
      if (bytes.length === 0) return
      // Copy: the reader may reuse its buffer, and slicing a Node buffer does not copy.
      pieces.push(new Uint8Array(bytes))
      size += bytes.length
    },
    /** Buffered bytes. */
    size: () => size,
    /** Bytes taken so far: the file offset of the first buffered byte. */
    position: () => taken,
    /** Removes the next `count` bytes, which must be buffered. */
    take(count: number): Uint8Array {
      const bytes = joinedChunks()
      const front = bytes.subarray(0, count)
      pieces = count < bytes.length ? [bytes.subarray(count)] : []
      size -= front.length
      taken += front.length
      searched = notSearched
      return front
    },
    /** The next `count` bytes, which must be buffered, without removing them. */
    peek: (count: number): Uint8Array => {
      const [first] = pieces
      return (first && first.length >= count ? first : joinedChunks()).subarray(0, count)
    },
    /**
     * Offset of `byte` from the front, -1 if absent. Remembers how far it has searched, so repeated calls do not rescan.
     */
    indexOf(byte: number): number {
      if (searched.byte !== byte) searched = { byte, pieces: 0, bytes: 0 }
      for (let index = searched.pieces; index < pieces.length; index++) {
        const piece = pieces[index] ?? new Uint8Array()
        const found = piece.indexOf(byte)
        if (found >= 0) return searched.bytes + found
        searched = { byte, pieces: index + 1, bytes: searched.bytes + piece.length }
      }
      return -1
    },
  }
}

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
