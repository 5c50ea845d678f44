/** Batches text into reusable write buffers, oldest first. */
import { performance } from 'node:perf_hooks'

export interface Batch {
  readonly buffer: Buffer
  /** When its first text was added, by `performance.now`. */
  readonly since: number
  used: number
  /** Number of counted items in it. */
  counted: number
  /** Bytes of it that are already written. */
  done: number
}

export interface Batches {
  /** Adds a text that counts as `counts` items; returns its bytes. */
  readonly add: (text: string, counts: number) => number
  /** Seals the current batch: it may be written. */
  readonly seal: () => void
  /** The oldest sealed batch. */
  readonly first: () => Batch | undefined
  /** Removes the oldest batch after it was written. */
  readonly firstWritten: () => void
  /** When the oldest text was added; infinite without any. */
  readonly oldestAt: () => number
  /** Whether the current batch has content. */
  readonly isFilling: () => boolean
  /** Discards all batches; returns their counted items. */
  readonly clear: () => number
}

/** Batch size that is written without delay. */
export const fullBatchBytes = 256 * 1024
/** Standard buffer size: a full batch and one long text. */
const bufferBytes = fullBatchBytes + 64 * 1024
/** Spare buffers kept for reuse: a busy session would allocate dozens a second. */
const maxSpare = 4

export function createBatches(): Batches {
  let sealed: Batch[] = []
  let filling: Batch | undefined
  const spare: Buffer[] = []

  function seal(): void {
    if (!filling || filling.used === 0) return
    sealed.push(filling)
    filling = undefined
  }

  /** A batch with room for the text: a UTF-16 unit takes at most three bytes. */
  function roomFor(text: string): Batch {
    const maxBytes = text.length * 3
    if (filling && filling.buffer.length - filling.used < maxBytes) seal()
    if (filling) return filling
    const buffer =
      maxBytes > bufferBytes
        ? Buffer.allocUnsafeSlow(maxBytes)
        : (spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes))
    filling = { buffer, since: performance.now(), used: 0, counted: 0, done: 0 }
    return filling
  }

  return {
    add: (text, counts) => {
      const batch = roomFor(text)
      const bytes = batch.buffer.write(text, batch.used)
      batch.used += bytes
      batch.counted += counts
      if (batch.used >= fullBatchBytes) seal()
      return bytes
    },
    seal,
    first: () => sealed[0],
    firstWritten: () => {
      const batch = sealed.shift()
      // An oversized buffer is not kept.
      if (batch?.buffer.length === bufferBytes && spare.length < maxSpare) spare.push(batch.buffer)
    },
    oldestAt: () => (sealed[0] ?? filling)?.since ?? Number.POSITIVE_INFINITY,
    isFilling: () => filling !== undefined && filling.used > 0,
    clear: () => {
      seal()
      const counted = sealed.reduce((sum, batch) => sum + batch.counted, 0)
      sealed = []
      return counted
    },
  }
}
