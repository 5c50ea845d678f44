/** Buffers the beginning of a stream, so that its format can be detected before it is read. */

export interface BufferedStream {
  /** Up to 64 KiB. */
  readonly beginning: Uint8Array
  /** The whole content including the beginning; can be iterated once. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** Closes the stream, read or not. */
  readonly stop: () => void
}

const beginningBytes = 65_536

export async function bufferBeginning(stream: AsyncIterable<Uint8Array>): Promise<BufferedStream> {
  const source = stream[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  let isOver = false

  async function next(): Promise<Uint8Array | undefined> {
    const { done, value } = await source.next()
    return done === true ? undefined : value
  }

  while (size < beginningBytes && !isOver) {
    const piece = await next()
    if (piece) {
      first.push(piece)
      size += piece.length
    } else isOver = true
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* first.splice(0)
      if (isOver) return
      for (let piece = await next(); piece; piece = await next()) yield piece
    } finally {
      await source.return?.()
    }
  }
  return {
    beginning: Buffer.concat(first).subarray(0, beginningBytes),
    pieces: pieces(),
    stop: () => void source.return?.().catch(() => undefined),
  }
}
