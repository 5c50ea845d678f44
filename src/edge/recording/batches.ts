/** Text gathered into buffers that are each written at once, oldest first; a buffer that is done is filled again. */

export interface Batch {
  readonly buffer: Buffer
  used: number
  /** How many of the things that are counted are in it. */
  counted: number
  /** Bytes of it that are in the file already. */
  done: number
}

export interface Batches {
  /** Adds a text that counts for so many; answers its bytes. */
  readonly add: (text: string, counts: number) => number
  /** Nothing more goes into the batch that is being filled: it may be written. */
  readonly seal: () => void
  /** The oldest sealed batch. */
  readonly first: () => Batch | undefined
  /** The oldest batch is written. */
  readonly done: () => void
  /** Whether the batch that is being filled holds anything. */
  readonly isFilling: () => boolean
  /** Forgets all of them; answers how many that were, of what is counted. */
  readonly forget: () => number
}

/** A batch of so much is written without waiting for more. */
export const fullBytes = 256 * 1024
/** The usual buffer: a full batch and one long text more. */
const bufferBytes = fullBytes + 64 * 1024
/** Buffers are used again: a busy session would make and forget dozens in a second. */
const mostSpare = 4

export function createBatches(): Batches {
  let sealed: Batch[] = []
  let filling: Batch | undefined
  const spare: Buffer[] = []

  function seal(): void {
    if (!filling || filling.used === 0) return
    sealed.push(filling)
    filling = undefined
  }

  /** A buffer that surely holds the text: no UTF-16 unit takes more than three bytes. */
  function roomFor(text: string): Batch {
    const most = text.length * 3
    if (filling && filling.buffer.length - filling.used < most) seal()
    if (filling) return filling
    const buffer =
      most > bufferBytes
        ? Buffer.allocUnsafeSlow(most)
        : (spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes))
    filling = { buffer, used: 0, counted: 0, done: 0 }
    return filling
  }

  return {
    add: (text, counts) => {
      const batch = roomFor(text)
      const bytes = batch.buffer.write(text, batch.used)
      batch.used += bytes
      batch.counted += counts
      if (batch.used >= fullBytes) seal()
      return bytes
    },
    seal,
    first: () => sealed[0],
    done: () => {
      const batch = sealed.shift()
      // One long text must not keep its long buffer for ever.
      if (batch?.buffer.length === bufferBytes && spare.length < mostSpare) spare.push(batch.buffer)
    },
    isFilling: () => filling !== undefined && filling.used > 0,
    forget: () => {
      seal()
      const counted = sealed.reduce((sum, batch) => sum + batch.counted, 0)
      sealed = []
      return counted
    },
  }
}
